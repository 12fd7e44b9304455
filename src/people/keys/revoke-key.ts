import { sql } from 'drizzle-orm';
import { evictApiKey } from '../../access/api-keys.ts';
import { withDbErrors } from '../../db/core/errors.ts';
import { revokeApiKeyStatement } from '../../db/directory/api-keys.ts';
import { auditInStoresStatement } from '../../db/directory/audit.ts';
import { memberships } from '../../db/schema/directory.ts';
import type { DeedContext } from '../deed.ts';

/**
 * Revokes an API key of a user; does nothing if it is revoked or belongs to another user. This isolate rejects it at once, the
 * others within the 30 seconds of their caches. One batch.
 */
export async function revokeApiKey(
  { directory, now, actor, from }: DeedContext,
  { userId, id }: { userId: number; id: number },
): Promise<void> {
  const line = {
    at: now,
    actor,
    from,
    action: 'api_key.revoked',
    target: { kind: 'api_key', id },
  };
  const inItsStores = sql`from ${memberships} join api_keys k on k.user_id = ${memberships.user_id}
    where k.id = ${id} and k.user_id = ${userId} and k.revoked_at is null
      and (k.store_ids is null or store_id in (select value from json_each(k.store_ids)))`;
  await withDbErrors(
    directory.batch([
      auditInStoresStatement(directory, line, inItsStores),
      revokeApiKeyStatement(directory, { userId, id, now }),
    ]),
  );
  evictApiKey(id);
}
