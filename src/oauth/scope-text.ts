import { covers, bitsOf, scopes, scopesOf, type Scope } from '../access/scopes.ts';

/** The bits of every scope there is. */
export const allScopes = bitsOf(new Set(scopes));

/** Scope numbers as OAuth writes them: names with spaces between them (RFC 6749, section 3.3). */
export const scopeText = (bits: number) => [...scopesOf(bits)].join(' ');

/**
 * The bits of a scope text; `undefined` when a name is unknown or not covered by what is allowed, in which
 * write includes read.
 */
export function scopeBits(text: string, allowed: number): number | undefined {
  const names = text.split(' ').filter(Boolean);
  const known = names.filter((name): name is Scope => (scopes as readonly string[]).includes(name));
  const granted = scopesOf(allowed);
  const isWithin = names.length > 0 && known.length === names.length;
  if (!isWithin || !known.every((scope) => covers(granted, scope))) return undefined;
  return bitsOf(new Set(known));
}
