import { sql, type SQL } from 'drizzle-orm';
import { openShard, type Shard } from '../db/open.ts';
import { plainStatement } from '../db/raw.ts';
import { ReplayState, webhookReplays, type ReplayFilter } from '../db/schema/webhook-upkeep.ts';
import { EndpointStatus } from '../db/schema/webhooks.ts';
import { resending } from './replay-deliveries.ts';
import type { Shift } from './sweep-shift.ts';
import { candidates, type Candidate } from './replay-source.ts';

/** Deliveries that one step of a replay goes through; the next step follows a minute later. */
export const replayStep = 500;

/** Replays that one run of cron looks at. */
const replaysPerRun = 100;

interface Running {
  id: number;
  endpoint_id: number;
  filter: string;
  cursor: number;
  last: number;
  /** Null when the endpoint's row is gone. */
  status: number | null;
}

/**
 * One step of every range of a shard that is being sent again; answers with how many took one. A step's deliveries and the cursor are one
 * transaction that does nothing if the cursor has moved, so two runs at once or a crash in between send nothing
 * twice and leave nothing out.
 */
export async function advanceReplays({ db, now, mayGoOn }: Shift): Promise<number> {
  const shard = openShard(db);
  const { results } = await db
    .prepare(
      `select r.id, r.endpoint_id, r.filter, r.cursor, r.last, e.status from webhook_replays r
        left join webhook_endpoints e on e.id = r.endpoint_id
        where r.state = ${ReplayState.running} order by r.id limit ${replaysPerRun}`,
    )
    .all<Running>();
  let steps = 0;
  for (const replay of results) {
    if (!mayGoOn()) break;
    await step(shard, replay, now());
    steps += 1;
  }
  return steps;
}

async function step(shard: Shard, replay: Running, now: number): Promise<void> {
  const { id, endpoint_id: endpoint, cursor, last, status } = replay;
  const isGone = status === null || status === EndpointStatus.deleted;
  const rows = isGone ? [] : await next(shard, replay);
  const sendable = rows.filter((row) => row.has_body === 1);
  const isLast = rows.length < replayStep;
  const isHere = sql`exists (select 1 from ${webhookReplays}
    where id = ${id} and cursor = ${cursor} and state = ${ReplayState.running})`;
  const events = sendable.map((row) => ({ seq: row.seq, event: row.event_id }));
  const after = isGone ? ReplayState.cancelled : isLast ? ReplayState.done : ReplayState.running;
  const moving = sql`update ${webhookReplays} set cursor = ${isLast ? last : (rows.at(-1)?.seq ?? last)},
      done = done + ${sendable.length}, skipped = skipped + ${rows.length - sendable.length},
      state = ${after}, done_at = ${after === ReplayState.running ? null : now}
    where id = ${id} and ${isHere}`;
  const adding = events.length > 0 ? resending(now, events, sql`${endpoint}`, isHere) : [];
  await run(shard, [...adding, moving]);
}

async function next(shard: Shard, replay: Running): Promise<Candidate[]> {
  const filter = JSON.parse(replay.filter) as Extract<ReplayFilter, { from: number }>;
  const within = { after: replay.cursor, last: replay.last, limit: replayStep };
  const statement = plainStatement<Candidate>(
    shard,
    candidates(replay.endpoint_id, filter, within),
  );
  const [rows] = await shard.batch([statement]);
  return rows as Candidate[];
}

async function run(shard: Shard, statements: readonly SQL[]): Promise<void> {
  const [first, ...rest] = statements.map((one) => plainStatement(shard, one));
  if (first) await shard.batch([first, ...rest]);
}
