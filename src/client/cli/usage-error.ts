/** A command line that cannot be run as it is: exit code 2. The message names the correct form. */
export class UsageError extends Error {}

/**
 * Returns a question with the name that was probably meant, ` Did you mean listen?`; empty if no
 * name is near.
 */
export function didYouMean(sent: string, names: Iterable<string>): string {
  const near = Array.from(names, (name) => ({ name, edits: editsBetween(sent, name) }))
    .filter(({ name, edits }) => edits <= Math.max(1, Math.floor(name.length / 3)))
    .sort((one, other) => one.edits - other.edits)[0];
  return near ? ` Did you mean ${near.name}?` : '';
}

/**
 * How many letters to insert, delete, replace or swap with their neighbour (optimal string
 * alignment).
 */
function editsBetween(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, index) => index)];
  for (let i = 1; i <= one.length; i += 1) {
    const [above, above2] = [rows[i - 1] ?? [], rows[i - 2] ?? []];
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        (above[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (above[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwap ? (above2[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    rows.push(row);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
