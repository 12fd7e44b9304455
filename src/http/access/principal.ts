import type { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import type { AccountDb } from '../../data/directory/account.ts';
import type { StoreActivity } from '../../data/directory/activity.ts';
import type { Scope } from '../../data/grants/scopes.ts';
import type { GuardCondition } from '../../data/shards/guard.ts';

/**
 * The resource that a credential opens: the API, or the same operations as tools of an assistant.
 */
export type Resource = 'api' | 'mcp';

/** How an assistant makes a call of an operation. */
export interface AssistantCall {
  /** Whether the change is only tried. */
  isTried: boolean;
  /** Another idempotency key of the same call. */
  earlierKey: string | undefined;
}

/** The caller of a request. */
export interface Principal {
  /** Names the credential in rate limits and idempotency keys; never a secret. */
  key: string;
  userId: number;
  /** The partner app, or `null` for an API key. */
  clientId: string | null;
  /** The name and the host of an agent; `null` for other callers. */
  agent: string | null;
  /** `null` for an app. */
  apiKeyId: number | null;
  /** The name of the API key; `null` for an app. */
  keyName: string | null;
  /** The only stores that the caller can reach, or `null` for all stores of the user. */
  storeIds: readonly number[] | null;
  /** Whether the credential was given fewer scopes than all. */
  isRestricted: boolean;
  /** Whether the credential, and the role of its user in the store, cover a scope. */
  hasScope: (scope: Scope) => boolean;
}

/** An operator who calls with an API key created for operators. */
export interface Operator {
  userId: number;
  name: string;
}

/**
 * The result of authentication: the caller, and the store of the path if the caller can reach it.
 */
export interface Caller {
  principal: Principal;
  store: Store | undefined;
  /** Why this active store is kept from the caller, although the user is a member of it. */
  withheld: 'key_not_for_store' | 'second_factor_required' | undefined;
  /** The user as an operator, if the credential may act as one. */
  operator: Operator | undefined;
  /**
   * The facts of the store as its access token has them, which the guard must check; `undefined` if
   * they were looked up.
   */
  facts: string | undefined;
  /** Conditions of every batch of the request, such as that a grant is not revoked. */
  conditions: readonly GuardCondition[] | undefined;
  /**
   * Checks the conditions in a batch of their own, for requests without one. Throws a 401 for a
   * revoked grant.
   */
  checkGrant: () => Promise<void>;
}

/** The caller and the handles that an operation works with. */
export interface Admitted {
  principal: Principal;
  /** Opens the part of the directory that the caller may see. */
  account: () => AccountDb;
  /** Only for operations of a store. */
  db: StoreDb | undefined;
  /** Opens the activity of that store in the directory. */
  activity: (() => StoreActivity) | undefined;
  /** Only for operations of operators. */
  operator: Operator | undefined;
}
