/**
 * First segments of paths that belong to the service. A store of this name could not be reached, or
 * would pass for the service.
 */
const reservedAliases: ReadonlySet<string> = new Set([
  'account',
  'admin',
  'api',
  'app',
  'apps',
  'assets',
  'auth',
  'docs',
  'e-mail',
  'favicon',
  'health',
  'help',
  'home',
  'invitations',
  'jobs',
  'login',
  'mail',
  'oauth',
  'openapi',
  'operator',
  'operators',
  'partners',
  'password',
  'ready',
  'robots',
  'service',
  'session',
  'sessions',
  'setup',
  'sign-in',
  'second-factor',
  'sign-up',
  'static',
  'status',
  'stores',
  'support',
  'users',
  'v1',
  'v2',
  'v3',
  'well-known',
  'www',
]);

/** Lower-case letters, digits and hyphens inside: an alias is also a label of host names. */
const aliasPattern = /^[a-z0-9](?:[a-z0-9-]{1,61}[a-z0-9])$/;

/** Returns what is wrong with an alias; `undefined` if a new store may have it. */
export function findAliasProblem(alias: string): string | undefined {
  if (!aliasPattern.test(alias) || alias.includes('--')) {
    return 'Must be 3 to 63 lower-case letters, digits and single hyphens, with no hyphen at either end.';
  }
  if (/^\d+$/.test(alias)) return 'Must contain a letter.';
  // Erased stores have names like this.
  const isReserved = reservedAliases.has(alias) || /^erased-\d+$/.test(alias);
  return isReserved ? 'Is reserved for the service.' : undefined;
}
