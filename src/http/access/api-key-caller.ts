import { coversScope, scopesFromBits, roleCovers } from '../../data/grants/scopes.ts';
import type { FoundApiKey } from './api-key-lookup.ts';
import type { Caller, Principal } from './principal.ts';

/** Names an API key in rate limits and idempotency keys. */
export const apiKeyPrincipalKey = (apiKeyId: number) => `api_key:${apiKeyId}`;

/**
 * The caller that a verified API key stands for. Its powers are those of the key, and those that the role of its user
 * in the store allows.
 */
export function callerOfApiKey(
  { apiKeyId, name, scopes, storeIds, isForOperator, user, reached }: FoundApiKey,
  { isOperatorMfaRequired }: { isOperatorMfaRequired: boolean },
): Caller {
  const granted = scopes === null ? undefined : scopesFromBits(scopes);
  const isListed = !reached || storeIds === null || storeIds.includes(reached.store.id);
  const withheld = !isListed
    ? 'key_not_for_store'
    : reached?.lacksFactor
      ? 'second_factor_required'
      : undefined;
  const principal: Principal = {
    key: apiKeyPrincipalKey(apiKeyId),
    userId: user.id,
    clientId: null,
    agent: null,
    apiKeyId,
    keyName: name,
    storeIds,
    isRestricted: granted !== undefined,
    hasScope: (scope) =>
      (!granted || coversScope(granted, scope)) && (!reached || roleCovers(reached.role, scope)),
  };
  const isOperator =
    isForOperator && user.isOperator && (user.hasSecondFactor || !isOperatorMfaRequired);
  return {
    principal,
    store: withheld === undefined ? reached?.store : undefined,
    withheld: reached?.store.active ? withheld : undefined,
    operator: isOperator ? { userId: user.id, name: user.name } : undefined,
    facts: undefined,
    conditions: undefined,
    checkGrant: () => Promise.resolve(),
  };
}
