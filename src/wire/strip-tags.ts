const TAG_STARTER = /[A-Za-z/!?]/;

/**
 * Removes `<` + letter, `/`, `!` or `?` up to the next `>`, also tags that come to be by removing
 * others. One pass with a stack of kept characters: repeating a regular expression until nothing
 * changes gives the same text but takes quadratic time on hostile input.
 */
export function stripTags(text: string): string {
  if (!text.includes('<') || !text.includes('>')) return text;
  const kept: string[] = [];
  let opened = -1;
  for (const character of text) {
    if (character === '>' && opened >= 0) {
      kept.length = opened;
      opened = -1;
      continue;
    }
    if (opened < 0 && kept.at(-1) === '<' && TAG_STARTER.test(character)) opened = kept.length - 1;
    kept.push(character);
  }
  return kept.join('');
}
