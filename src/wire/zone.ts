/** The zone of a new store, and of everything that belongs to no store (contract 1.4). */
export const defaultZone = 'America/Sao_Paulo';

let current: string | undefined;

/**
 * Runs `render` with `zone` as the zone of every date that is decoded or shown meanwhile. A row
 * does not carry its store's zone, and a zod codec takes no argument besides the value. The module
 * variable is safe although an isolate serves many requests at once: `render` is synchronous, so no
 * other request runs before the previous zone is restored. A promise as result throws.
 */
export function inZone<Result>(zone: string, render: () => Result): Result {
  const previous = current;
  current = zone;
  try {
    const result = render();
    if (isThenable(result)) throw new TypeError('inZone takes a synchronous function.');
    return result;
  } finally {
    current = previous;
  }
}

/** The zone of the surrounding `inZone`; throws outside of one. */
export function currentZone(): string {
  if (current === undefined) throw new Error('No zone: dates are read and shown inside inZone.');
  return current;
}

/** Whether a text names a time zone. */
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
