import { formatAgentName, type AuditActor } from '../../data/audit/action.ts';
import type { Store } from '../../data/core/store.ts';
import type { Scope } from '../../data/grants/scopes.ts';
import type { GuardCondition } from '../../data/shards/guard.ts';

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

/** The caller as the audit names it. */
export const actorOf = ({ userId, clientId, agent, apiKeyId, keyName }: Principal): AuditActor =>
  clientId === null
    ? { kind: 'api_key', id: String(apiKeyId), name: keyName ?? '', userId }
    : {
        kind: 'app',
        id: clientId,
        name: agent === null ? clientId : formatAgentName(agent, userId),
        userId: null,
      };

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
