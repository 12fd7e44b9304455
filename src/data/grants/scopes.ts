import type { MemberRole } from '../../base/roles.ts';
/**
 * The areas of the API. Their order is that of the bits of a stored scope number: `area.read` is
 * bit 2n, `area.write` bit 2n + 1. Append only.
 */
export const scopeAreas = [
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

export type ScopeArea = (typeof scopeAreas)[number];

/** A permission that a merchant grants to an app. */
export type Scope = `${ScopeArea}.${'read' | 'write'}`;

/**
 * The requirement of an operation on its caller: a scope, only valid credentials, or an operator's
 * API key.
 */
export type RequiredAccess = Scope | 'signed-in' | 'operator';

/** Whether an operation requires a scope. */
export const isScope = (access: RequiredAccess): access is Scope =>
  access !== 'signed-in' && access !== 'operator';

/** Whether an operation requires a scope of one of these areas. */
export const isInAreas = (access: RequiredAccess, areas: readonly ScopeArea[]): boolean =>
  areas.some((area) => access.startsWith(`${area}.`));

/** Whether granted scopes include a required one; `write` includes `read`. */
export function coversScope(granted: ReadonlySet<Scope>, required: Scope): boolean {
  return granted.has(required) || granted.has(required.replace(/\.read$/, '.write') as Scope);
}

/** Every scope, in the order of its bit. */
export const scopes: readonly Scope[] = scopeAreas.flatMap((area): Scope[] => [
  `${area}.read`,
  `${area}.write`,
]);

/** Converts scopes to the number that is stored. */
export function scopesToBits(granted: ReadonlySet<Scope>): number {
  return scopes.reduce((bits, scope, bit) => (granted.has(scope) ? bits | (1 << bit) : bits), 0);
}

/** Reverses {@link scopesToBits}. */
export function scopesFromBits(bits: number): ReadonlySet<Scope> {
  return new Set(scopes.filter((_scope, bit) => bits & (1 << bit)));
}

/** Areas that hold personal data of people other than the merchant. */
const personalAreas: readonly ScopeArea[] = [
  'comments',
  'customers',
  'carts',
  'orders',
  'transactions',
];

/** Whether an area holds personal data of people other than the merchant. */
export const isPersonalArea = (area: ScopeArea): boolean => personalAreas.includes(area);

/**
 * Scopes that can move money, change credentials or send data elsewhere. The consent page sets them
 * apart.
 */
export const dangerousScopes = [
  'transactions.write',
  'payments.write',
  'config.write',
  'webhooks.write',
] as const satisfies readonly Scope[];

type DangerousScope = (typeof dangerousScopes)[number];

export const isDangerousScope = (scope: Scope): scope is DangerousScope =>
  (dangerousScopes as readonly Scope[]).includes(scope);

/** Whether a scope gives access to personal data of people other than the merchant. */
const isPersonalDataScope = (scope: Scope): boolean =>
  personalAreas.some((area) => scope.startsWith(`${area}.`));

/** The bits of all scopes. */
export const allScopeBits = scopesToBits(new Set(scopes));

/** Formats scope bits as OAuth does: names separated by spaces (RFC 6749, section 3.3). */
export const formatScopeBits = (bits: number) => [...scopesFromBits(bits)].join(' ');

/**
 * Parses a scope text. Returns `undefined` when a name is unknown or not covered by the allowed
 * scopes.
 */
export function parseScopeBits(text: string, allowed: number): number | undefined {
  const names = text.split(' ').filter(Boolean);
  const known = names.filter((name): name is Scope => (scopes as readonly string[]).includes(name));
  const granted = scopesFromBits(allowed);
  const isWithin = names.length > 0 && known.length === names.length;
  if (!isWithin || !known.every((scope) => coversScope(granted, scope))) return undefined;
  return scopesToBits(new Set(known));
}

/** Scopes in the groups of the consent page. */
interface ScopeGroups {
  reads: Scope[];
  writes: Scope[];
  dangerous: DangerousScope[];
  /** The scopes of `reads` that give access to personal data of others. */
  personal: Scope[];
}

/**
 * Groups scopes for display. A write scope also appears as its read scope, because it includes it.
 */
export function groupScopes(bits: number): ScopeGroups {
  const granted = scopesFromBits(bits);
  const covered = scopes.filter((scope) => coversScope(granted, scope));
  return {
    reads: covered.filter((scope) => scope.endsWith('.read')),
    writes: covered.filter((scope) => scope.endsWith('.write') && !isDangerousScope(scope)),
    dangerous: covered.filter(isDangerousScope),
    personal: covered.filter((scope) => scope.endsWith('.read') && isPersonalDataScope(scope)),
  };
}

/** Whether a member of a store may do what a scope allows: a viewer only reads. */
export const roleCovers = (role: MemberRole, scope: Scope): boolean =>
  role !== 'viewer' || scope.endsWith('.read');
