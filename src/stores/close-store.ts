import { sql, type SQL } from 'drizzle-orm';
import { spreadStoreChange } from '../accounts/forget-store.ts';
import { dayMs } from '../base/durations.ts';
import { conflict } from '../base/errors.ts';
import { memberRoles, Role } from '../base/roles.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement } from '../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import { cancelErasureStatements, jobStatements } from '../data/directory/request-job.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import { jobs } from '../data/schema/directory/operators-tables.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../mail/outbox.ts';
import { assertUsable, requireStore, storeStatement } from './find-store.ts';
import type { StoreRow } from './insert-store.ts';

/** How long a closed store can be opened again, in milliseconds. */
export const closingMs = 30 * dayMs;

interface Closing {
  storeId: number;
  reason: string;
  /** When its data are erased, in epoch milliseconds. */
  dueAt: number;
}

const isOperator = ({ actor }: ActionContext) => actor.kind === 'operator';

/**
 * The unfinished erasures of a store for which its closing, or an operator after 30 days, asked.
 */
const erasuresOf = (storeId: number) =>
  sql`from ${jobs} where store_id = ${storeId} and kind = 'store_erasure' and finished_at is null`;

/** The condition that data of a store are being erased: that goes on. */
export const hasBegun = (storeId: number) =>
  sql`exists (select 1 from ${jobs} where store_id = ${storeId} and kind in ('store_erasure', 'immediate_erasure')
    and finished_at is null and progress ->> '$.begunAt' is not null)`;

/**
 * The condition that the caller may close a store now: it is not closed, or its owner closed it and
 * an operator takes that over. An erasure that has begun goes on.
 */
export function mayClose(action: ActionContext, storeId: number): SQL {
  const isOpen = isOperator(action) ? sql`closed_by is not 'operator'` : sql`closed_at is null`;
  return sql`exists (select 1 from ${stores} where id = ${storeId} and ${isOpen} and erased_at is null)
    and not ${hasBegun(storeId)}`;
}

/**
 * The statements that close a store and request its erasure, under `where`. An operator's request
 * takes the place of the owner's. The last statement changes the store.
 */
export function closeStatements(
  action: ActionContext,
  { shard }: Pick<StoreRow, 'shard'>,
  { storeId, reason, dueAt }: Closing,
  where: SQL,
) {
  const { directory, now } = action;
  const closedBy = isOperator(action) ? 'operator' : 'owner';
  return [
    rawDatabaseStatement(
      directory,
      sql`update ${jobs} set state = 'cancelled', finished_at = ${now}, leased_until = 0, due_at = null
          where id in (select id ${erasuresOf(storeId)}) and ${where}`,
    ),
    ...jobStatements(action, { kind: 'store_erasure', storeId, reason, dueAt }, shard, where),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set active = 0, closed_at = ${now}, closed_by = ${closedBy},
            close_reason = ${reason}, erase_at = ${dueAt}, updated_at = ${now}
          where id = ${storeId} and ${where}`,
    ),
  ];
}

/**
 * Closes a store: it is inactive at once, and its data are erased after 30 days. Notifies its
 * members. A store that is closed stays as it is, unless an operator closes what the owner had
 * closed. Then the 30 days begin again, and only an operator opens it. One batch.
 */
export async function closeStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason: string },
): Promise<StoreRow> {
  const { directory, settings, now } = action;
  const before = await requireStore(action, storeId);
  const dueAt = now + closingMs;
  const mail = await prepareMail(settings, {
    kind: 'store_closing',
    data: { store: before.name, date: dueAt },
  });
  const isOpen = mayClose(action, storeId);
  const everyone = { storeId, roles: memberRoles };
  const results = await directory.batch([
    storeStatement(action, storeId),
    insertMailToMembers(directory, mail, everyone, now, isOpen),
    ...closeStatements(action, before, { storeId, reason, dueAt }, isOpen),
    storeStatement(action, storeId),
  ]);
  return finish(action, results.at(-1));
}

/**
 * Opens a closed store again, unless its erasure has begun (409). An owner opens only what an owner
 * closed, else it is a 409; an operator opens both. A store that is locked stays locked, one that
 * is not closed stays as it is. One batch.
 */
export async function reopenStore(
  action: ActionContext,
  { storeId, reason }: { storeId: number; reason?: string },
): Promise<StoreRow> {
  const { directory, settings, actor, from, now } = action;
  const { name } = await requireStore(action, storeId);
  const byOperator = isOperator(action);
  const isTheirs = byOperator ? sql`1` : sql`closed_by = 'owner'`;
  const isClosed = sql`id = ${storeId} and closed_at is not null and ${isTheirs} and erased_at is null`;
  const cancels = cancelErasureStatements(
    action,
    storeId,
    sql`exists (select 1 from ${stores} where ${isClosed})`,
  );
  const isReady = sql`${isClosed} and not exists (select 1 ${erasuresOf(storeId)}) and not ${hasBegun(storeId)}`;
  const line = {
    at: now,
    actor,
    from,
    action: 'store.reopened',
    target: { kind: 'store' as const, id: storeId },
    storeId,
    ...(reason !== undefined && { reason }),
  };
  const mail = await prepareMail(settings, {
    kind: 'store_reactivated',
    data: { store: name },
  });
  const isOpened = sql`exists (select 1 from ${stores} where ${isReady} and locked_at is null)`;
  const notified = { storeId, roles: [Role.owner, Role.manager] } as const;
  const results = await directory.batch([
    ...cancels,
    auditStatement(directory, line, sql`exists (select 1 from ${stores} where ${isReady})`),
    ...(byOperator ? [insertMailToMembers(directory, mail, notified, now, isOpened)] : []),
    rawDatabaseStatement(
      directory,
      sql`update ${stores} set active = locked_at is null, closed_at = null, closed_by = null,
            close_reason = null, erase_at = null, updated_at = ${now}
          where ${isReady}`,
    ),
    storeStatement(action, storeId),
  ]);
  const store = finish(action, results.at(-1) as StoreRow[]);
  if (store.closed_at === null) return store;
  if (!byOperator && store.closed_by === 'operator') throw new ClosedByOperator();
  throw conflict('job_irrevocable');
}

/** An owner would open what an operator closed: only operators do. */
export class ClosedByOperator extends Error {}

function finish(action: ActionContext, [after]: StoreRow[] = []): StoreRow {
  const store = assertUsable(after);
  spreadStoreChange(action, store.id);
  action.defer(wakeMail(action.env));
  return store;
}
