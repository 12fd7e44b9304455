/** Calls `create` once for the same arguments: tests that change nothing share what it creates. */
export function shared<T, A extends unknown[]>(
  create: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  const created = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = created.get(key) ?? create(...args);
    created.set(key, known);
    return known;
  };
}
