import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { ReplayState, webhookReplays, type ReplayFilter } from '../db/schema/webhook-upkeep.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import type { Statement } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { conflict, gone, InvalidBody, notFound, StaleRevision } from '../problem.ts';
import { audited, type Actor } from './audit.ts';
import { isVisible } from './endpoint-access.ts';
import { countOf, sourceOf } from './replay-source.ts';
import { resending } from './replay-deliveries.ts';

/** What one range may hold. */
export const longestReplay = 10_000;

export type ReplayRow = typeof webhookReplays.$inferSelect;

/**
 * Sends again what a filter names: a delivery or an event at once, a range by cron. Answers with the replay;
 * `undefined` when the caller sees no such endpoint. Throws a 404 or 410 for a delivery or event that is not there
 * or whose body is kept no longer, `InvalidBody` for a range that holds more than 10,000, and a 409 while
 * another range of the endpoint is under way. Two round trips.
 */
export async function startReplay(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: ReplayFilter,
): Promise<ReplayRow | undefined> {
  return 'from' in filter ? startRange(db, actor, id, filter) : replayOne(db, actor, id, filter);
}

async function replayOne(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: Exclude<ReplayFilter, { from: number }>,
) {
  const [endpoints, sources] = await db.batch([
    seen(db, actor, id),
    rawStatement<{ seq: number | null; event_id: string; has_body: number }>(
      db,
      sourceOf(db, id, filter),
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const [field] = Object.keys(filter);
  const [source] = sources;
  if (!source) throw notFound({ [field!]: ['No such event in the log of this webhook.'] });
  if (!source.has_body) throw gone({ [field!]: ['The body of this event is kept no longer.'] });
  const events = [{ seq: source.seq, event: source.event_id }];
  const adding = resending(db.now, events, sql`${id}`, sql`true`);
  const replay = { filter, cursor: 0, last: 0, total: 1, state: ReplayState.done };
  return insert(
    db,
    actor,
    id,
    replay,
    adding.map((one) => rawStatement(db, one)),
  );
}

async function startRange(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: Extract<ReplayFilter, { from: number }>,
) {
  const isFree = sql`not exists (select 1 from ${webhookReplays}
    where endpoint_id = ${id} and state = ${ReplayState.running})`;
  const [endpoints, [matching]] = await db.batch([
    seen(db, actor, id),
    rawStatement<{ total: number; first: number; last: number }>(
      db,
      countOf(id, filter, longestReplay + 1),
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const { total = 0, first = 0, last = 0 } = matching ?? {};
  if (total > longestReplay) {
    throw new InvalidBody({ from: ['Must hold at most 10,000 deliveries.'] });
  }
  const state = total === 0 ? ReplayState.done : ReplayState.running;
  try {
    const range = { filter, cursor: Math.max(0, first), last: Math.max(0, last), total, state };
    return await insert(db, actor, id, range, [db.must(isFree)]);
  } catch (error) {
    throw error instanceof StaleRevision ? conflict('replay_under_way') : error;
  }
}

const seen = (db: StoreDb, actor: Actor, id: number) =>
  rawStatement(
    db,
    sql`select id from ${webhookEndpoints} where id = ${id} and ${isVisible(db, id, actor)}`,
  );

type NewReplay = Pick<ReplayRow, 'filter' | 'cursor' | 'last' | 'total' | 'state'>;

async function insert(
  db: StoreDb,
  actor: Actor,
  id: number,
  { filter, cursor, last, total, state }: NewReplay,
  first: readonly Statement[],
): Promise<ReplayRow | undefined> {
  const isDone = state === ReplayState.done;
  const results: readonly unknown[] = await db.batch([
    db.must(isVisible(db, id, actor)),
    ...first,
    audited(db, actor, 'replayed', id, sql`true`),
    rawStatement<ReplayRow>(
      db,
      sql`insert into ${webhookReplays}
          (endpoint_id, filter, cursor, last, done, total, state, created_at, done_at)
        values (${id}, ${JSON.stringify(filter)}, ${cursor}, ${last}, ${isDone ? total : 0}, ${total},
          ${state}, ${db.now}, ${isDone ? db.now : null}) returning *`,
    ),
  ]);
  if (state === ReplayState.done) db.wake([id]);
  const [row] = results.at(-1) as (Omit<ReplayRow, 'filter'> & { filter: string })[];
  return row && { ...row, filter };
}
