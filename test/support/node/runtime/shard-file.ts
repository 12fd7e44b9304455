import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Returns the database file of shard 0 in the state of a stopped runtime. */
export function findShardFile(state: string): string {
  for (const file of readdirSync(state, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.sqlite')) continue;
    const path = join(state, file);
    const database = new DatabaseSync(path);
    const isShard = database
      .prepare(`select 1 from sqlite_master where name = 'shard_identity'`)
      .get();
    const isFirst =
      isShard && database.prepare('select 1 from shard_identity where number = 0').get();
    database.close();
    if (isFirst) return path;
  }
  throw new Error('the state has no shard 0');
}

/** Writes `count` delivered events, one second apart, into the database of a stopped runtime. */
export function fillDeliveries(state: string, endpoint: number, count: number) {
  const database = new DatabaseSync(findShardFile(state));
  const since = Date.now() - (count + 60) * 1000;
  const numbered = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  database.exec(`begin;
      insert into webhook_events (id, store_id, event, body, created_at)
        ${numbered} select 'evt_' || printf('%012x%020x', ${since} + i * 1000, i), 1, 'product.created', '{}',
          ${since} + i * 1000 from n;
      insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, attempts, response_status, created_at, done_at)
        ${numbered} select ${endpoint}, i, 'evt_' || printf('%012x%020x', ${since} + i * 1000, i), 1, 0, 1, 200,
          ${since} + i * 1000, ${since} + i * 1000 from n;
      update webhook_endpoints set last_seq = ${count} where id = ${endpoint};
      commit`);
  database.close();
}

/** Counts the replayed deliveries of an endpoint in the database of a stopped runtime. */
export function countReplayed(state: string, endpoint: number) {
  const database = new DatabaseSync(findShardFile(state));
  const counts = database
    .prepare(
      `select count(*) as replayed, count(distinct replay_of) as originals, count(distinct event_id) as events
       from webhook_deliveries where endpoint_id = ? and trigger = 'replay'`,
    )
    .get(endpoint);
  database.close();
  return { ...counts };
}

/**
 * Returns the ids of the events whose delivery is recorded in the database of a stopped runtime.
 */
export function deliveredEvents(state: string, endpoint: number): Set<string> {
  const database = new DatabaseSync(findShardFile(state));
  const rows = database
    .prepare('select event_id from webhook_deliveries where endpoint_id = ? and state = 1')
    .all(endpoint);
  database.close();
  return new Set(rows.map(({ event_id: id }) => String(id)));
}

/**
 * Describes what waits in the database of a runtime, for the message of a test that failed:
 * endpoints, hosts and deliveries.
 */
export function describeWaiting(state: string): string {
  const database = new DatabaseSync(findShardFile(state), { readOnly: true });
  const rows = [
    `select id, status, next_attempt_at, lease_until, lease_generation, lease_workers, lease_backoff_until,
       consecutive_failures, proven_at, latency_ms from webhook_endpoints`,
    'select host, failures, next_at from webhook_trials',
    `select endpoint_id, state, attempts, due_at, count(*) as deliveries, min(seq) as first from webhook_deliveries
       where state = 0 group by endpoint_id, attempts, due_at`,
  ].flatMap((text) => database.prepare(text).all());
  database.close();
  return [`at ${Date.now()}`, ...rows.map((row) => JSON.stringify(row))].join('\n');
}

/** Lets a minute pass for the leases, retries and claims in the database of a stopped runtime. */
export function passMinute(state: string): void {
  const database = new DatabaseSync(findShardFile(state));
  database.exec(`update webhook_endpoints set lease_until = max(0, lease_until - 60000), next_attempt_at = next_attempt_at - 60000;
    update webhook_deliveries set due_at = max(0, due_at - 60000) where state = 0`);
  database.close();
}
