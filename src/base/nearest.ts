/** How many names an error proposes. */
const maxNames = 3;

/** Pairs of neighbouring letters, without what separates words. */
const pairsOf = (text: string): ReadonlySet<string> => {
  const letters = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '')
    .slice(0, 100);
  return new Set(Array.from(letters, (_, at) => letters.slice(at, at + 2)));
};

/**
 * The names that share the most pairs of letters with a text (Sørensen–Dice), the best first, and
 * at least a share of them.
 */
export function nearestOf(text: string, names: readonly string[], least = 0): string[] {
  const wanted = pairsOf(text);
  const scored = names.map((name) => {
    const pairs = pairsOf(name);
    const shared = [...pairs].filter((pair) => wanted.has(pair)).length;
    return { name, score: (2 * shared) / (pairs.size + wanted.size) };
  });
  return scored
    .filter(({ score }) => score >= least)
    .sort((one, other) => other.score - one.score)
    .slice(0, maxNames)
    .map(({ name }) => name);
}
