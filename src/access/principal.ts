import type { Statement } from '../db/core/statement.ts';
import type { Store } from '../db/core/store.ts';
import type { Scope } from './scopes.ts';

/** The caller of a request. */
export interface Principal {
  /** Names the credential in rate limits and idempotency keys; never a secret. */
  key: string;
  userId: number;
  /** The partner app, or `null` for an API key. */
  clientId: string | null;
  /** The only store that the caller can reach, or `null` for all stores of the user. */
  storeId: number | null;
  /** Whether the credential grants a scope; an API key grants every scope. */
  hasScope: (scope: Scope) => boolean;
}

/** The result of authentication: the caller, and the store of the path if the caller can reach it. */
export interface Caller {
  principal: Principal;
  store: Store | undefined;
  /** Statements that start every batch of the request, such as the check that a grant is not revoked. */
  guards: readonly Statement[];
  /** Runs the guards in a batch of their own, for requests without one. Throws a 401 for a revoked grant. */
  checkGrant: () => Promise<void>;
}
