import { shardFile } from './shard-file.ts';
import { DatabaseSync } from 'node:sqlite';

/**
 * Writes deliveries that arrived into the database of a runtime that is not running, a second apart, and tells what was
 * sent again so far.
 */
export function fillShard(state: string, endpoint: number, count: number) {
  const database = new DatabaseSync(shardFile(state));
  const since = Date.now() - (count + 60) * 1000;
  const numbered = `with recursive n (i) as (select 1 union all select i + 1 from n where i < ${count})`;
  if (count > 0) {
    database.exec(`begin;
      insert into webhook_events (id, store_id, event, body, created_at)
        ${numbered} select 'evt_' || printf('%012x%020x', ${since} + i * 1000, i), 1, 'product.created', '{}',
          ${since} + i * 1000 from n;
      insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, attempts, code, created_at, done_at)
        ${numbered} select ${endpoint}, i, 'evt_' || printf('%012x%020x', ${since} + i * 1000, i), 1, 0, 1, 200,
          ${since} + i * 1000, ${since} + i * 1000 from n;
      update webhook_endpoints set last_seq = ${count} where id = ${endpoint};
      commit`);
  }
  const replayed = database
    .prepare(
      `select count(*) as replayed, count(distinct replay_of) as originals, count(distinct event_id) as events
       from webhook_deliveries where endpoint_id = ? and trigger = 'replay'`,
    )
    .get(endpoint);
  database.close();
  return { ...replayed };
}
