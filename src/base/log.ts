/**
 * Writes one line of JSON. Fields must not hold secrets, bodies, query strings or personal data.
 */
export function log(
  level: 'info' | 'warn' | 'error',
  event: string,
  fields: Record<string, unknown>,
): void {
  console[level === 'info' ? 'log' : level](JSON.stringify({ level, event, ...fields }));
}
