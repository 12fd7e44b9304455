import { sql, type SQL } from 'drizzle-orm';
import { openShard } from '../db/open.ts';
import { plainStatement } from '../db/raw.ts';
import { DeliveryState, EndpointStatus } from '../db/schema/webhooks.ts';
import type { Shift } from './sweep-shift.ts';

/** Held deliveries that one step lets go; the next follows a minute later. */
export const releaseStep = 500;

/** Endpoints that one run of cron looks at. */
const endpointsPerRun = 100;

/**
 * The statements of one step: opens the next held deliveries from `release_from` on, wakes the lane, and ends
 * the release when none is left. Does nothing for an endpoint that is not active or releases nothing.
 */
export function releaseSteps(id: number, now: number): SQL[] {
  const next = sql`select seq from webhook_deliveries
    where endpoint_id = ${id} and state = ${sql.raw(`${DeliveryState.held}`)} and state >= 2
      and seq >= (select release_from from webhook_endpoints
        where id = ${id} and status = ${EndpointStatus.active})
    order by seq`;
  return [
    sql`update webhook_deliveries set state = ${DeliveryState.open}, due_at = 0
      where (endpoint_id, seq) in (select ${id}, seq from (${next} limit ${releaseStep}))`,
    sql`update webhook_endpoints set release_from = (${next} limit 1),
        wake_at = case when wake_at is null or (fail_streak = 0 and lease_until <= ${now})
          then ${now} else wake_at end
      where id = ${id} and release_from is not null and status = ${EndpointStatus.active}`,
  ];
}

/** One step of every release of a shard, each in a transaction of its own. Answers with how many let go. */
export async function advanceReleases({ db, now, mayGoOn }: Shift): Promise<number> {
  const shard = openShard(db);
  const { results } = await db
    .prepare(
      `select id from webhook_endpoints where release_from is not null
        and status = ${EndpointStatus.active} limit ${endpointsPerRun}`,
    )
    .all<{ id: number }>();
  let steps = 0;
  for (const { id } of results) {
    if (!mayGoOn()) break;
    const [first, ...rest] = releaseSteps(id, now()).map((step) => plainStatement(shard, step));
    if (first) await shard.batch([first, ...rest]);
    steps += 1;
  }
  return steps;
}
