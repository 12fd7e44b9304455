import type { Scope } from './scopes.ts';

/** Who calls. */
export interface Principal {
  /** Names the credential in rate limits and logs; never a secret. */
  key: string;
  userId: number;
  /** The partner app, or `null` for a header pair. */
  clientId: string | null;
  /** The only store that the caller may reach, or `null` for all stores of the user. */
  storeId: number | null;
  /** Whether the caller may do what a scope allows; a header pair may do everything. */
  may: (scope: Scope) => boolean;
}
