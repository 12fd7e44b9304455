import type { Store } from '../db/core/store.ts';
import type { GuardCondition } from '../db/shards/residents.ts';
import type { Scope } from './scopes.ts';

/** The caller of a request. */
export interface Principal {
  /** Names the credential in rate limits and idempotency keys; never a secret. */
  key: string;
  userId: number;
  /** The partner app, or `null` for an API key. */
  clientId: string | null;
  /** `null` for an app. */
  apiKeyId: number | null;
  /** The only store that the caller can reach, or `null` for all stores of the user. */
  storeId: number | null;
  /** Whether the credential grants a scope; an API key grants every scope. */
  hasScope: (scope: Scope) => boolean;
}

/** The result of authentication: the caller, and the store of the path if the caller can reach it. */
export interface Caller {
  principal: Principal;
  store: Store | undefined;
  /** The facts of the store as its access token has them, which the guard must check; `undefined` if they were looked up. */
  facts: string | undefined;
  /** Conditions of every batch of the request, such as that a grant is not revoked. */
  conditions: readonly GuardCondition[] | undefined;
  /** Checks the conditions in a batch of their own, for requests without one. Throws a 401 for a revoked grant. */
  checkGrant: () => Promise<void>;
}
