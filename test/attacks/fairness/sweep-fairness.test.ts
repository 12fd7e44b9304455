import { env } from 'cloudflare:workers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ReplayState } from '../../../src/data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { placementsStatement } from '../../support/fixtures/shards.ts';
import { sweepAll } from '../../support/sweep.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';

// Before the endpoints of other tests, so that a sweep at this time wakes only those of this file.
const start = Date.UTC(1991, 0, 1);

/** No test creates stores with these ids. */
const flood = 2 ** 41;
const other = flood + 1;

const db = env.STORE_0;

beforeAll(() => placementsStatement(db, flood, other).run());

afterAll(() =>
  db.prepare('delete from placements where store_id in (?, ?)').bind(flood, other).run(),
);

afterEach(() =>
  db.batch([
    db.prepare('delete from webhook_replays where created_at = 0'),
    db.prepare(`delete from webhook_deliveries where event_id = ''`),
    db.prepare('delete from webhook_endpoints where store_id in (?, ?)').bind(flood, other),
  ]),
);

interface Endpoints {
  status?: number;
  nextAttemptAt?: number | null;
  resumeFrom?: number | null;
}

/** Inserts endpoints of a store. Returns their ids. */
async function createEndpoints(
  storeId: number,
  count: number,
  { status = EndpointStatus.active, nextAttemptAt = null, resumeFrom = null }: Endpoints = {},
): Promise<number[]> {
  const { results } = await db
    .prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ?2)
       insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, status,
         next_attempt_at, resume_from_seq, created_at, updated_at)
       select ?1, '', '', '', '', '', ?3, ?4, ?5, 0, 0 from n returning id`,
    )
    .bind(storeId, count, status, nextAttemptAt, resumeFrom)
    .all<{ id: number }>();
  const ids = results.map(({ id }) => id);
  if (nextAttemptAt !== null && status === EndpointStatus.active) {
    const insert = db.prepare(
      `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
       select value, 1, '', 0, 0, 0 from json_each(?)`,
    );
    await insert.bind(JSON.stringify(ids)).run();
  }
  return ids;
}

/** Starts a replay of each endpoint; there is nothing in its range. */
const startReplays = (endpoints: readonly number[]) =>
  db
    .prepare(
      `insert into webhook_replays (endpoint_id, filter, cursor, last, state, created_at)
       select value, '{"from":0,"to":1,"states":[],"events":null}', 0, 1, ${ReplayState.running}, 0 from json_each(?)`,
    )
    .bind(JSON.stringify(endpoints))
    .run();

/**
 * Runs a sweep with a clock that moves by `stepMs` each time that it is read. Returns the endpoints
 * that it woke.
 */
async function sweepWithClock(stepMs: number): Promise<number[]> {
  const woken: number[] = [];
  const sendBatch = (messages: MessageSendRequest<{ endpoint: number }>[]) => {
    woken.push(...messages.map(({ body }) => body.endpoint));
    return Promise.resolve();
  };
  let now = start;
  // The first shard only: the second one would move the same clock.
  const queues = wakeupBindings(() => ({ sendBatch }));
  const world = { ...env, ...queues, RESTORING_SHARDS: '1' } as unknown as Env;
  await sweepAll(world, () => (now += stepMs));
  return woken;
}

const stateOfReplay = (endpoint: number | undefined) =>
  db
    .prepare('select state from webhook_replays where endpoint_id = ?')
    .bind(endpoint)
    .first('state');

const resumeFromOf = (endpoint: number | undefined) =>
  db
    .prepare('select resume_from_seq from webhook_endpoints where id = ?')
    .bind(endpoint)
    .first('resume_from_seq');

describe('the sweep beside the backlog of one store', () => {
  it('continues the replay of another store, whose turn comes before the second of that store', async () => {
    await startReplays(await createEndpoints(flood, 120));
    const [mine] = await createEndpoints(other, 1);
    await startReplays([mine!]);
    await sweepWithClock(500);
    expect(await stateOfReplay(mine)).toBe(ReplayState.done);
  });

  it('continues the resuming of a webhook of another store', async () => {
    await createEndpoints(flood, 120, { resumeFrom: 1 });
    const [mine] = await createEndpoints(other, 1, { resumeFrom: 1 });
    await sweepWithClock(500);
    expect(await resumeFromOf(mine)).toBeNull();
  });

  it('wakes the webhooks of other stores, however many replays and releases wait', async () => {
    await startReplays(await createEndpoints(flood, 90, { resumeFrom: 1 }));
    const [mine] = await createEndpoints(other, 1, { nextAttemptAt: start });
    expect(await sweepWithClock(500)).toContain(mine);
  });

  it('closes all webhooks that are no longer active in one run', async () => {
    const stopped = { status: EndpointStatus.deleted, nextAttemptAt: start };
    await createEndpoints(flood, 150, stopped);
    const [mine] = await createEndpoints(other, 1, { ...stopped, nextAttemptAt: start + 1 });
    await sweepWithClock(1);
    const next = db
      .prepare('select next_attempt_at from webhook_endpoints where id = ?')
      .bind(mine);
    expect(await next.first('next_attempt_at')).toBeNull();
  });
});
