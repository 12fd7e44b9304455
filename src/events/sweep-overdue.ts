import { EndpointStatus } from '../db/schema/webhooks.ts';
import { lookAheadMs, sendWakes, type Wake } from './hints.ts';
import { slowLane } from './slow-lane.ts';
import type { Shift } from './sweep-shift.ts';

const pageSize = 1_000;

// Costs what there are lanes, not deliveries. A lane under lease is its consumer's business.
const overdueSql = `
  select id as endpoint, wake_at as wakeAt, ${slowLane} as isSlow from webhook_endpoints
  where wake_at <= ?1 and (wake_at, id) > (?2, ?3)
    and lease_until <= ?4 and status = ${EndpointStatus.active}
  order by wake_at, id limit ${pageSize}`;

/**
 * Hints all lanes that are due or will be within a minute, which makes good every hint that was lost, page by page
 * while there is time. Answers with how many.
 */
export async function hintOverdue({ env, shard, db, now, mayGoOn }: Shift): Promise<number> {
  const startedAt = now();
  let last: Pick<Wake, 'endpoint' | 'wakeAt'> | undefined = { endpoint: 0, wakeAt: -1 };
  let hinted = 0;
  while (last && mayGoOn()) {
    const { results }: D1Result<Wake> = await db
      .prepare(overdueSql)
      .bind(startedAt + lookAheadMs, last.wakeAt, last.endpoint, startedAt)
      .all<Wake>();
    await sendWakes(env, shard, results, now());
    hinted += results.length;
    last = results.length === pageSize ? results.at(-1) : undefined;
  }
  return hinted;
}
