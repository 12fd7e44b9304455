/** Texts between backticks of a document, in one line each; a pipe of a table is escaped. */
export const quotedTexts = (document: string): string[] =>
  [...document.replaceAll(/^ *```[^]*?^ *```/gm, '').matchAll(/`([^`]+)`/g)].map(([, text = '']) =>
    text.replaceAll(/\s+/g, ' ').replaceAll(String.raw`\|`, '|'),
  );

/** The blocks of code in a language. */
export const codeBlocks = (document: string, language: string): string[] =>
  [...document.matchAll(new RegExp(`^ *\`\`\`${language}\\n([^]*?)^ *\`\`\``, 'gm'))].map(
    ([, text = '']) => text,
  );

const word = /(?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^\s'"|;&#])+|#.*/g;

/**
 * Splits a line as a shell does into simple commands, each a list of words without their quotes.
 */
export function splitCommands(line: string): string[][] {
  const parts = line.split(/((?:'[^']*'|"[^"]*"|\$\([^)]*\)|[^'"|;&])+)/).filter((_, i) => i % 2);
  return parts
    .map((part) =>
      (part.match(word) ?? [])
        .filter((text) => !text.startsWith('#'))
        .map((text) => text.replaceAll(/'([^']*)'|"([^"]*)"/g, '$1$2')),
    )
    .filter((words) => words.length > 0);
}
