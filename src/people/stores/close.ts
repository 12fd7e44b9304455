import { sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { stores } from '../../db/schema/directory.ts';
import { jobs } from '../../db/schema/operators.ts';
import { copyStoreFacts } from '../../db/shards/copy-facts.ts';
import { conflict } from '../../errors.ts';
import { cancelErasureStatements } from '../../jobs/cancel.ts';
import { jobStatements } from '../../jobs/request.ts';
import { insertMailToMembers, prepareMail } from '../../mail/outbox.ts';
import { wakeMail } from '../../mail/wake.ts';
import type { DeedContext } from '../deed.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

/** How long a closed store can be opened again, in milliseconds. */
export const closingTime = 30 * 24 * 60 * 60 * 1000;

/**
 * Closes a store: it is inactive at once, and its data are erased after 30 days. Tells its members. A store that is closed
 * stays as it is. One batch.
 */
export async function closeStore(
  deed: DeedContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<StoreRow> {
  const { directory, settings, now } = deed;
  const { name, shard } = await requireStore(deed, storeId);
  const dueAt = now + closingTime;
  const mail = await prepareMail(settings, {
    kind: 'store_closing',
    language: 'en',
    data: { store: name, date: dueAt },
  });
  const isOpen = sql`exists (select 1 from ${stores} where id = ${storeId} and erase_at is null and erased_at is null)`;
  const everyone = { storeId, roles: ['owner', 'manager', 'viewer'] } as const;
  const results = await withDbErrors(
    directory.batch([
      storeStatement(deed, storeId),
      insertMailToMembers(directory, mail, everyone, now, isOpen),
      ...jobStatements(deed, { kind: 'store_erasure', storeId, reason, dueAt }, shard, isOpen),
      storeStatement(deed, storeId),
    ]),
  );
  return finish(deed, results.at(-1));
}

/**
 * Opens a closed store again, unless its erasure has begun (409). A store that an operator had deactivated before stays
 * inactive. A store that is not closed stays as it is. One batch.
 */
export async function reopenStore(
  deed: DeedContext,
  { storeId }: { storeId: number },
): Promise<StoreRow> {
  const { directory, actor, from, now } = deed;
  await requireStore(deed, storeId);
  const [cancelLine, cancel] = cancelErasureStatements(deed, storeId);
  const erasures = sql`from ${jobs} where store_id = ${storeId} and kind = 'store_erasure'`;
  const isReady = sql`id = ${storeId} and erase_at is not null and erased_at is null
    and not exists (select 1 ${erasures} and finished_at is null)`;
  // Closing an active store makes it inactive; another one was inactive before.
  const wasActive = sql`inactive_since >= (select max(created_at) ${erasures})`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.reopened',
    target: { kind: 'store', id: storeId },
    storeId,
  };
  const results = await withDbErrors(
    directory.batch([
      cancelLine,
      cancel,
      auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isReady})`),
      rawDatabaseStatement(
        directory,
        sql`update ${stores} set erase_at = null, active = ${wasActive}, updated_at = ${now},
            inactive_reason = iif(${wasActive}, null, inactive_reason), inactive_since = iif(${wasActive}, null, inactive_since)
          where ${isReady}`,
      ),
      storeStatement(deed, storeId),
    ]),
  );
  const store = finish(deed, results.at(-1));
  if (store.erase_at !== null) throw conflict('job_irrevocable');
  return store;
}

function finish(deed: DeedContext, [after]: StoreRow[] = []): StoreRow {
  const store = assertUsable(after);
  deed.defer(copyStoreFacts(deed.env, store.id));
  deed.defer(wakeMail(deed.env));
  return store;
}
