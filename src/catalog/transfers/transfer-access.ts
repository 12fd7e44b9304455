import type { Database } from '../../data/core/open-database.ts';
import { isStillMember } from '../../data/directory/members.ts';
import { isGrantLive } from '../../data/grants/grant-conditions.ts';
import { scopesToBits, type Scope } from '../../data/grants/scopes.ts';
import type { GuardCondition } from '../../data/shards/guard.ts';
import type { Principal } from '../../http/access/principal.ts';
import type { Transfer } from './transfer-job.ts';

/** Who begins a transfer: a credential, or the session of a user (`session:{id}`). */
export type TransferCaller = Pick<Principal, 'key' | 'userId' | 'clientId'>;

/** Columns of a transfer that name the caller who requested it. */
export const actorColumns = ({ key, userId, clientId }: TransferCaller) => ({
  actor: key,
  user_id: userId,
  client_id: clientId,
});

/** The scopes that the work of a transfer needs, like the operation that started it. */
const scopesOf = ({ kind, with_stock, stock }: Transfer): Scope[] =>
  kind === 'import'
    ? ['catalog.write', ...(stock === 'set' ? (['inventory.write'] as const) : [])]
    : ['catalog.read', ...(with_stock ? (['inventory.read'] as const) : [])];

/** The condition of each chunk that the grant of an app still allows it; none for other callers. */
export function grantConditions(
  storeId: number,
  transfer: Transfer,
  now: number,
): GuardCondition[] {
  const { actor, client_id: clientId, user_id: userId } = transfer;
  if (clientId === null) return [];
  const grantId = actor.replace(/^grant:/, '');
  const scopes = scopesToBits(new Set(scopesOf(transfer)));
  return [isGrantLive({ grantId, clientId, userId, storeId, scopes }, now)];
}

/**
 * Whether the user of a transfer may still do it, and the API key is live if one began it. Of an
 * app each chunk checks the grant, too.
 */
export async function isStillAllowed(
  directory: Database,
  storeId: number,
  transfer: Transfer,
  now: number,
): Promise<boolean> {
  const { actor, user_id: userId, kind } = transfer;
  const apiKeyId = /^api_key:(\d+)$/.exec(actor)?.[1];
  const work = { userId, storeId, isChange: kind === 'import', now };
  return isStillMember(
    directory,
    apiKeyId === undefined ? work : { ...work, apiKeyId: Number(apiKeyId) },
  );
}
