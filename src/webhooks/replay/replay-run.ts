import { sql, type SQL } from 'drizzle-orm';
import { pause } from '../../base/durations.ts';
import { openDatabase, type Database } from '../../data/core/open-database.ts';
import { compileSql, rawDatabaseStatement } from '../../data/core/raw.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import {
  ReplayState,
  webhookReplays,
  type ReplayFilter,
} from '../../data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus, movingLease } from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { redeliverStatements } from './replay-deliveries.ts';
import { candidatesQuery, type ReplayCandidate } from './replay-source.ts';

/** Deliveries that one step of a replay reads; the sweep runs the next step a minute later. */
export const replayBatchSize = 500;

/** Replays that one sweep continues while time remains. */
const replaysPerRun = 1_000;

interface RunningReplay {
  id: number;
  endpoint_id: number;
  filter: string;
  cursor: number;
  last: number;
  /** Null when the endpoint has no row any more. */
  status: number | null;
}

const selectRunning = compileSql(sql`
  select replay.id, replay.endpoint_id, replay.filter, replay.cursor, replay.last, endpoint.status from webhook_replays replay
    left join webhook_endpoints endpoint on endpoint.id = replay.endpoint_id
    where replay.state = ${ReplayState.running} and coalesce(endpoint.lease_until, 0) < ${movingLease}
      and (endpoint.store_id is null or ${isAtWorkSql('endpoint.store_id')})
    order by row_number() over (partition by endpoint.store_id order by replay.id), replay.id limit ${replaysPerRun}`);

/**
 * Runs one step of every running replay of a shard, round-robin by store. Returns the number of
 * steps. The deliveries of a step and its cursor are one transaction, which does nothing if the
 * cursor has moved. So neither concurrent sweeps nor a crash repeat or skip a delivery.
 */
export async function continueReplays({ db, now, hasTime }: SweepContext): Promise<number> {
  const database = openDatabase(db);
  const { results } = await selectRunning(db).all<RunningReplay>();
  let steps = 0;
  for (const replay of results) {
    if (!hasTime()) break;
    if (steps > 0) await pause(1);
    await runStep(database, replay, now());
    steps += 1;
  }
  return steps;
}

async function runStep(database: Database, replay: RunningReplay, now: number): Promise<void> {
  const { id, endpoint_id: endpoint, cursor, last, status } = replay;
  const isGone = status === null || status === EndpointStatus.deleted;
  const rows = isGone ? [] : await loadNext(database, replay, now);
  const sendable = rows.filter((row) => row.has_body === 1 && row.may_receive === 1);
  const isLast = rows.length < replayBatchSize;
  const isUnchanged = sql`exists (select 1 from ${webhookReplays}
    where id = ${id} and cursor = ${cursor} and state = ${ReplayState.running})`;
  const events = sendable.map((row) => ({ seq: row.seq, event: row.event_id }));
  const state = isGone ? ReplayState.cancelled : isLast ? ReplayState.done : ReplayState.running;
  const cursorUpdate = sql`update ${webhookReplays} set cursor = ${isLast ? last : (rows.at(-1)?.seq ?? last)},
      done = done + ${sendable.length}, skipped = skipped + ${rows.length - sendable.length},
      state = ${state}, done_at = ${state === ReplayState.running ? null : now}
    where id = ${id} and ${isUnchanged}`;
  const insertions =
    events.length > 0 ? redeliverStatements(now, events, sql`${endpoint}`, isUnchanged) : [];
  await runBatch(database, [...insertions, cursorUpdate]);
}

async function loadNext(
  database: Database,
  replay: RunningReplay,
  now: number,
): Promise<ReplayCandidate[]> {
  const filter = JSON.parse(replay.filter) as Extract<ReplayFilter, { from: number }>;
  const within = { after: replay.cursor, last: replay.last, limit: replayBatchSize, now };
  const statement = rawDatabaseStatement<ReplayCandidate>(
    database,
    candidatesQuery(replay.endpoint_id, filter, within),
  );
  const [rows] = await database.batch([statement]);
  return rows as ReplayCandidate[];
}

async function runBatch(database: Database, statements: readonly SQL[]): Promise<void> {
  const [first, ...rest] = statements.map((one) => rawDatabaseStatement(database, one));
  if (first) await database.batch([first, ...rest]);
}
