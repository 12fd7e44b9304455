/**
 * Calls `make` once for each of its keys and returns what it made. For few keys, which the code
 * itself names.
 */
export function memoize<
  Keys extends readonly (string | boolean | undefined)[],
  Made extends object,
>(make: (...keys: Keys) => Made) {
  const made = new Map<string, Made>();
  return (...keys: Keys): Made => {
    const name = keys.join();
    let one = made.get(name);
    if (!one) made.set(name, (one = make(...keys)));
    return one;
  };
}
