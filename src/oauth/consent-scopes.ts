import { isDangerous, isPersonal, type DangerousScope } from '../access/scope-classes.ts';
import { covers, scopes, scopesOf, type Scope } from '../access/scopes.ts';

/** How a consent page sets scopes apart. */
export interface ConsentScopes {
  reads: Scope[];
  writes: Scope[];
  dangerous: DangerousScope[];
  /** Those of `reads` that open personal data of others. */
  personal: Scope[];
}

/** Scope bits as a consent page shows them; what may be written may be read, so both are said. */
export function consentScopes(bits: number): ConsentScopes {
  const granted = scopesOf(bits);
  const opened = scopes.filter((scope) => covers(granted, scope));
  return {
    reads: opened.filter((scope) => scope.endsWith('.read')),
    writes: opened.filter((scope) => scope.endsWith('.write') && !isDangerous(scope)),
    dangerous: opened.filter(isDangerous),
    personal: opened.filter((scope) => scope.endsWith('.read') && isPersonal(scope)),
  };
}
