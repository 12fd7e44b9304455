/**
 * The areas, in the order of their bits: `area.read` is bit 2n, `area.write` bit 2n + 1 of a stored scope
 * number. Write includes read.
 */
export const areas = [
  'catalog',
  'inventory',
  'comments',
  'customers',
  'carts',
  'orders',
  'invoices',
  'transactions',
  'payments',
  'config',
  'webhooks',
] as const;

export type Area = (typeof areas)[number];

/** What a row asks of a token. */
export type Scope = `${Area}.${'read' | 'write'}`;

/** What a row asks of its caller: a scope, or only to be signed in. */
export type Access = Scope | 'signed-in';

/** True when a granted set of scopes covers the one that is asked for. */
export function covers(granted: ReadonlySet<Scope>, asked: Scope): boolean {
  return granted.has(asked) || granted.has(asked.replace(/\.read$/, '.write') as Scope);
}

/** Every scope, in the order of its bit. */
export const scopes: readonly Scope[] = areas.flatMap((area): Scope[] => [
  `${area}.read`,
  `${area}.write`,
]);

/** Scopes as the number that is stored. */
export function bitsOf(granted: ReadonlySet<Scope>): number {
  return scopes.reduce((bits, scope, bit) => (granted.has(scope) ? bits | (1 << bit) : bits), 0);
}

/** Reverses `bitsOf`. */
export function scopesOf(bits: number): ReadonlySet<Scope> {
  return new Set(scopes.filter((_scope, bit) => bits & (1 << bit)));
}
