import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, expect, it } from 'vitest';
import { numberShardStatements } from '../../src/data/shards/shard-numbers.ts';
import { sweepShard } from '../../src/ops/run-sweep.ts';
import { countingDatabase, noCost, type StatementCost } from '../support/api/measure.ts';
import { wakeupBindings } from '../support/webhooks/wakeup-queues.ts';

// A database of this file only.
const db = env.QUIET;
const day = 86_400_000;
const now = Date.UTC(1986, 0, 1);
const [firstStore, firstEndpoint] = [1, 1];
const [stores, deliveries] = [1_000, 100_000];

const numbers = (count: number) =>
  `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;

/** Data of a shard: rows that are neither due nor old. */
const kept = [
  `insert into webhook_endpoints (id, store_id, url, url_folded, name, name_folded, secret_current, created_at, updated_at)
   ${numbers(stores)} select ${firstEndpoint} + i, ${firstStore} + i, '', '', '', '', '', 0, 0 from n`,
  `insert into webhook_events (id, store_id, event, body, created_at)
   ${numbers(deliveries)} select 'evt_' || printf('%014x%012x%020x', ${firstStore} + i % ${stores}, ${now - day}, i),
     ${firstStore} + i % ${stores}, 'order.paid', '{}', ${now - day} from n`,
  `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at, done_at)
   ${numbers(deliveries)} select ${firstEndpoint} + i % ${stores}, i,
     'evt_' || printf('%014x%012x%020x', ${firstStore} + i % ${stores}, ${now - day}, i), 1, 0, ${now - day}, ${now - day} from n`,
  `insert into webhook_attempts (endpoint_id, seq, number, at, duration_ms, response_body, host)
   ${numbers(deliveries)} select ${firstEndpoint} + i % ${stores}, i, 1, ${now - day}, 1, 'x', '' from n`,
  `insert into idempotency_keys (store_id, key, fingerprint, changes_before, created_at)
   ${numbers(5_000)} select ${firstStore}, 'idle-' || i, '', 0, ${now} from n`,
  `insert into carts (id, store_id, token, value_shipment, edited_at, due_at, created_at, updated_at)
   ${numbers(stores)} select -(abs(random()) >> 12), ${firstStore} + i, 'idle-' || i, 0, ${now}, ${now + day}, 0, 0 from n`,
  `insert into store_audit (store_id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id)
   ${numbers(5_000)} select ${firstStore}, ${now}, 'user', '', '', '', '', '' from n`,
  `insert into webhook_notices (store_id, endpoint_id, kind, at)
   ${numbers(5_000)} select ${firstStore}, ${firstEndpoint}, '', ${now} from n`,
  `insert into webhook_hosts (host, checked_at) ${numbers(5_000)} select 'idle-' || i, ${now} from n`,
];

const run = (statements: readonly string[]) =>
  db.batch(statements.map((statement) => db.prepare(statement)));

/**
 * Sweeps the shard when nothing is due. Returns the rows that each statement reads, and the calls
 * and written rows of the shard.
 */
async function sweepIdle() {
  const statements: StatementCost[] = [];
  const cost = noCost();
  const bindings = {
    ...env,
    ...wakeupBindings(() => ({ sendBatch: () => Promise.resolve() })),
    DIRECTORY: countingDatabase(env.DIRECTORY, noCost(), statements),
  };
  const counted = countingDatabase(db, cost, statements);
  await sweepShard({ env: bindings, shard: 0, db: counted, now: () => now });
  const read = new Map<string, number>();
  for (const { sql, rowsRead } of statements) read.set(sql, (read.get(sql) ?? 0) + rowsRead);
  return { read, written: cost.rowsWritten, calls: cost.roundTrips };
}

let before = new Map<string, number>();

beforeAll(async () => {
  await applyD1Migrations(db, env.STORE_MIGRATIONS);
  await run(numberShardStatements(0));
  // The first sweep of all finds the next timer.
  await sweepIdle();
  before = (await sweepIdle()).read;
  await run(kept);
  await sweepIdle();
});

it('no statement of an idle sweep reads more rows beside 100,000 deliveries and 1,000 stores with webhooks and timers', async () => {
  const { read, written } = await sweepIdle();
  const grown = [...read].filter(([sql, rows]) => rows > (before.get(sql) ?? 0) + 25);
  expect(grown).toEqual([]);
  const sum = (rows: Iterable<number>) => [...rows].reduce((total, count) => total + count, 0);
  expect(sum(read.values()) - sum(before.values())).toBeLessThan(100);
  expect(written).toBeLessThanOrEqual(1);
});

it('an idle sweep makes at most 50 calls', async () => {
  const { calls } = await sweepIdle();
  expect(calls).toBeGreaterThan(10);
  expect(calls).toBeLessThanOrEqual(50);
});
