import { sql } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { ReplayState, webhookReplays, type ReplayFilter } from '../db/schema/webhook-upkeep.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { conflict, gone, InvalidBody, notFound, StaleRevision } from '../problem.ts';
import type { Actor } from './audit.ts';
import { isVisible } from './endpoint-access.ts';
import { recorded, recording, recordingOne, type ReplayRow } from './replay-record.ts';
import { countOf, sourceOf } from './replay-source.ts';

/** What one range may hold. */
export const longestReplay = 10_000;

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
  const event = { seq: source.seq, event: source.event_id };
  const results = await db.batch(recordingOne(db, actor, id, filter, event));
  db.wake([id]);
  return recorded(results.at(-1), filter);
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
    const results = await db.batch(recording(db, actor, id, range, [db.must(isFree)]));
    if (state === ReplayState.done) db.wake([id]);
    return recorded(results.at(-1), filter);
  } catch (error) {
    throw error instanceof StaleRevision ? conflict('replay_under_way') : error;
  }
}

const seen = (db: StoreDb, actor: Actor, id: number) =>
  rawStatement(
    db,
    sql`select id from ${webhookEndpoints} where id = ${id} and ${isVisible(db, id, actor)}`,
  );
