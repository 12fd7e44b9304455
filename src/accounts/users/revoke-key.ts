import { sql } from 'drizzle-orm';
import type { ActionContext } from '../../data/audit/action.ts';
import { revokeApiKeyStatement } from '../../data/directory/api-keys.ts';
import { auditInStoresStatement } from '../../data/directory/audit-lines.ts';
import { memberships } from '../../data/schema/directory/directory-tables.ts';
import { evictApiKey } from '../../http/access/api-key.ts';

/**
 * Revokes an API key of a user; does nothing if it is revoked or belongs to another user. This isolate rejects it at once, the
 * others within the 30 seconds of their caches. One batch.
 */
export async function revokeApiKey(
  { directory, now, actor, from }: ActionContext,
  { userId, id }: { userId: number; id: number },
): Promise<void> {
  const line = {
    at: now,
    actor,
    from,
    action: 'api_key.revoked',
    target: { kind: 'api_key' as const, id },
  };
  const inItsStores = sql`from ${memberships} join api_keys k on k.user_id = ${memberships.user_id}
    where k.id = ${id} and k.user_id = ${userId} and k.revoked_at is null
      and (k.store_ids is null or store_id in (select value from json_each(k.store_ids)))`;
  await directory.batch([
    auditInStoresStatement(directory, line, inItsStores),
    revokeApiKeyStatement(directory, { userId, id, now }),
  ]);
  evictApiKey(id);
}
