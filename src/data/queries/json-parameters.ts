/** The characters of one parameter. It holds 2,000,000 bytes, and a character takes up to three. */
const maxCharacters = 500_000;

/**
 * Joins JSON texts to arrays that fit into a parameter of a statement each; a longer text is alone
 * in one.
 */
export function inParameters(texts: readonly string[]): string[] {
  const parameters: string[][] = [];
  let left = 0;
  for (const text of texts) {
    if (text.length > left) {
      parameters.push([]);
      left = maxCharacters;
    }
    parameters.at(-1)?.push(text);
    left -= text.length;
  }
  return parameters.map((some) => `[${some.join()}]`);
}
