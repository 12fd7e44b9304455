import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { ReplayState, webhookReplays, type ReplayFilter } from '../db/schema/webhook-upkeep.ts';
import type { Statement } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { audited, type Actor } from './audit.ts';
import { isVisible } from './endpoint-access.ts';
import { resending, type Resent } from './replay-deliveries.ts';

export type ReplayRow = typeof webhookReplays.$inferSelect;

type NewReplay = Pick<ReplayRow, 'filter' | 'cursor' | 'last' | 'total' | 'state'>;

/**
 * The statements that record a replay of an endpoint, behind those that come `first`; a `StaleRevision` aborts them when
 * the caller sees the endpoint no more. The last one answers with the row: {@link recorded} reads it.
 */
export function recording(
  db: StoreDb,
  actor: Actor,
  id: number,
  { filter, cursor, last, total, state }: NewReplay,
  first: readonly Statement[],
): Statement[] {
  const isDone = state === ReplayState.done;
  return [
    db.must(isVisible(db, id, actor)),
    ...first,
    audited(db, actor, 'replayed', id, sql`true`),
    rawStatement(
      db,
      sql`insert into ${webhookReplays}
          (endpoint_id, filter, cursor, last, done, total, state, created_at, done_at)
        values (${id}, ${JSON.stringify(filter)}, ${cursor}, ${last}, ${isDone ? total : 0}, ${total},
          ${state}, ${db.now}, ${isDone ? db.now : null}) returning *`,
    ),
  ];
}

/** The same for a replay that sends one event, at once. */
export function recordingOne(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: ReplayFilter,
  event: Resent,
): Statement[] {
  const adding = resending(db.now, [event], sql`${id}`, sql`true`);
  const replay = { filter, cursor: 0, last: 0, total: 1, state: ReplayState.done };
  return recording(
    db,
    actor,
    id,
    replay,
    adding.map((one) => rawStatement(db, one)),
  );
}

/** The replay that the last statement of {@link recording} answered with. */
export function recorded(answer: unknown, filter: ReplayFilter): ReplayRow | undefined {
  const [row] = answer as (Omit<ReplayRow, 'filter'> & { filter: string })[];
  return row && { ...row, filter };
}
