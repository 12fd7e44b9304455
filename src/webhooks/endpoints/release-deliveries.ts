import { sql, type SQL } from 'drizzle-orm';
import { pause } from '../../base/durations.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { compileSql, rawDatabaseStatement } from '../../data/core/raw.ts';
import { endpointWithIdMayReceive } from '../../data/grants/grant-conditions.ts';
import { isAtWorkSql } from '../../data/schema/store/placement-tables.ts';
import {
  DeliveryState,
  EndpointStatus,
  movingLease,
} from '../../data/schema/store/webhooks-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';

/** Held deliveries that one step releases; the sweep runs the next step a minute later. */
export const releaseBatchSize = 500;

/** Endpoints that one sweep continues while time remains. */
const endpointsPerRun = 1_000;

/**
 * Statements of one step: they open the next held deliveries from `resume_from_seq` on, make the
 * endpoint due, and end the release when none remains. Deliveries of events that the endpoint may
 * not receive now stay held. A delivery that is being sent at this moment (`send-held.ts`) keeps
 * its due time. They do nothing for an endpoint that is not active or has no release.
 */
export function releaseStatements(id: number, now: number): SQL[] {
  const event = sql`(select event from webhook_events where id = webhook_deliveries.event_id)`;
  const next = sql`select seq from webhook_deliveries
    where endpoint_id = ${id} and state = ${sql.raw(`${DeliveryState.held}`)} and state >= 2
      and seq >= (select resume_from_seq from webhook_endpoints
        where id = ${id} and status = ${EndpointStatus.active})
      and ${endpointWithIdMayReceive(id, event, now)}
    order by seq`;
  return [
    sql`update webhook_deliveries set state = ${DeliveryState.open}, due_at = iif(due_at > ${now}, due_at, 0)
      where (endpoint_id, seq) in (select ${id}, seq from (${next} limit ${releaseBatchSize}))`,
    sql`update webhook_endpoints set resume_from_seq = (${next} limit 1),
        next_attempt_at = case when next_attempt_at is null or (consecutive_failures = 0 and lease_until <= ${now})
          then ${now} else next_attempt_at end
      where id = ${id} and resume_from_seq is not null and status = ${EndpointStatus.active}`,
  ];
}

// Without the name of the index, SQLite may rather read all endpoints.
const selectReleasing = compileSql(sql`
  select id from webhook_endpoints indexed by webhook_endpoints_resume where resume_from_seq is not null
    and status = ${EndpointStatus.active} and lease_until < ${movingLease}
      and ${isAtWorkSql('webhook_endpoints.store_id')}
    order by row_number() over (partition by store_id order by id), id limit ${endpointsPerRun}`);

/**
 * Runs one step of every release of a shard, round-robin by store, each step in its own
 * transaction. Returns the number of steps.
 */
export async function continueReleases({ db, now, hasTime }: SweepContext): Promise<number> {
  const database = openDatabase(db);
  const { results } = await selectReleasing(db).all<{ id: number }>();
  let steps = 0;
  for (const { id } of results) {
    if (!hasTime()) break;
    if (steps > 0) await pause(1);
    const [first, ...rest] = releaseStatements(id, now()).map((statement) =>
      rawDatabaseStatement(database, statement),
    );
    if (first) await database.batch([first, ...rest]);
    steps += 1;
  }
  return steps;
}
