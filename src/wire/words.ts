import { cleanedLine } from './text.ts';
import { refuse } from './sentences.ts';

/** One of a closed list of words; `anyCase` takes them in any case and stores them as listed. */
export function choice<const Word extends string>(
  words: readonly Word[],
  { anyCase = false } = {},
) {
  const shape = anyCase ? { examples: [...words] } : { enum: [...words] };
  return cleanedLine(shape, (value, context): Word => {
    const sought = anyCase ? value.toLowerCase() : value;
    const word = words.find((listed) => (anyCase ? listed.toLowerCase() : listed) === sought);
    return word ?? refuse(context, `Must be one of ${words.join(', ')}.`);
  });
}

/** An open word of a pattern, such as a sort order; `lowerCase` lower-cases it first. */
export function word(pattern: RegExp, sentence: string, { lowerCase = false } = {}) {
  const whole = new RegExp(`^(?:${pattern.source})$`, pattern.flags);
  return cleanedLine(lowerCase ? {} : { pattern: whole.source }, (value, context) => {
    const cased = lowerCase ? value.toLowerCase() : value;
    return whole.test(cased) ? cased : refuse(context, sentence);
  });
}
