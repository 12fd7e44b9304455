/** Time zone of new stores, and of responses that belong to no store. */
export const defaultZone = 'America/Sao_Paulo';

let current: string | undefined;

/**
 * Runs a function with `zone` as the zone of all dates that it parses or serializes. A zod codec
 * has no argument besides the value, so the zone is a module variable. This is safe although an
 * isolate serves requests concurrently: `render` is synchronous, so no other request runs before
 * the previous zone is restored. Throws if the result is a promise.
 */
export function runInZone<Result>(zone: string, render: () => Result): Result {
  const previous = current;
  current = zone;
  try {
    const result = render();
    if (isThenable(result)) throw new TypeError('runInZone takes a synchronous function.');
    return result;
  } finally {
    current = previous;
  }
}

/** Returns the zone of the enclosing `runInZone`. Throws outside of it. */
export function currentZone(): string {
  if (current === undefined)
    throw new Error('No zone: dates are parsed and serialized inside runInZone only.');
  return current;
}

/** Whether a string is a known time zone. */
export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) instanceof Intl.DateTimeFormat;
  } catch {
    return false;
  }
}

function isThenable(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value;
}
