import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { stores } from '../../db/schema/directory.ts';
import { jobs } from '../../db/schema/operators.ts';
import { copyStoreFacts } from '../../db/shards/copy-facts.ts';
import { conflict } from '../../errors.ts';
import { cancelErasureStatements } from '../../jobs/cancel.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

const toldRoles = ['owner', 'manager'] as const;

/** Lets the shard know at once, and sends the mails. */
function afterChange(deed: DeedContext, { id }: StoreRow) {
  deed.defer(copyStoreFacts(deed.env, id));
  deed.defer(wakeMail(deed.env));
}

/**
 * Deactivates a store: nobody opens it, and nothing is sent, captured or reminded until it is active again. Tells owner and
 * managers the reason. A store that is inactive stays as it is. One batch.
 */
export async function deactivateStore(
  deed: DeedContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = deed;
  const { name } = await requireStore(deed, storeId);
  const mail = await prepareMail(settings, {
    kind: 'store_deactivated',
    language: 'en',
    data: { store: name, reason },
  });
  const isActive = sql`exists (select 1 from ${stores} where id = ${storeId} and active = 1)`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.deactivated',
    target: { kind: 'store', id: storeId },
    storeId,
    reason,
  };
  const [, , , [after]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, line, isActive),
      insertMailToMembers(directory, mail, { storeId, roles: toldRoles }, now, isActive),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set active = 0, inactive_reason = ${reason}, inactive_since = ${now}, updated_at = ${now}
          where id = ${storeId} and active = 1`,
      ),
      storeStatement(deed, storeId),
    ]),
  );
  const store = assertUsable(after);
  afterChange(deed, store);
  return store;
}

/**
 * Makes a store active again, also one that its owner closed, unless its erasure has begun (409). What waited goes on. An
 * active store stays as it is. One batch.
 */
export async function reactivateStore(
  deed: DeedContext,
  { storeId, reason }: { storeId: number; reason?: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = deed;
  const { name } = await requireStore(deed, storeId);
  const mail = await prepareMail(settings, {
    kind: 'store_reactivated',
    language: 'en',
    data: { store: name },
  });
  const [cancelLine, cancel] = cancelErasureStatements(deed, storeId);
  const isReady = sql`id = ${storeId} and active = 0 and erased_at is null and not exists (
    select 1 from ${jobs} where store_id = ${storeId} and kind = 'store_erasure' and finished_at is null)`;
  const isInactive = sql`exists (select 1 from ${stores} where ${isReady})`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.reactivated',
    target: { kind: 'store', id: storeId },
    storeId,
    ...(reason !== undefined && { reason }),
  };
  const [, , , , , [after]] = await withDbErrors(
    directory.batch([
      cancelLine,
      cancel,
      auditStatement(directory, line, isInactive),
      insertMailToMembers(directory, mail, { storeId, roles: toldRoles }, now, isInactive),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set active = 1, inactive_reason = null, inactive_since = null, erase_at = null, updated_at = ${now}
          where ${isReady}`,
      ),
      storeStatement(deed, storeId),
    ]),
  );
  const store = assertUsable(after);
  if (!store.active) throw conflict('job_irrevocable');
  afterChange(deed, store);
  return store;
}
