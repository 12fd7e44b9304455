import { sql } from 'drizzle-orm';
import { prepareSql } from '../../data/core/raw.ts';
import { EndpointStatus } from '../../data/schema/store/webhooks-tables.ts';
import { hasWork, type LeasedEndpoint } from './leased-endpoint.ts';

/** Sends that one worker starts at most after an endpoint was disabled (fault 45). */
const sendsPerCheck = 6;

/** With this many remaining sends, the next check starts, so that sends rarely wait for it. */
const checkAheadSends = 1;

// A run has few endpoints. Ids out of JSON would cost three rows read each instead of one.
const stoppedSql = (endpoints: readonly LeasedEndpoint[]) => sql`
  select id from webhook_endpoints
  where id in ${endpoints.map(({ id }) => id)}
    and (status <> ${EndpointStatus.active} or lease_backoff_until > 0)`;

const remainingSends = ({ nextIndex, checkedIndex }: LeasedEndpoint) =>
  checkedIndex + sendsPerCheck - nextIndex;

/** Whether another send may start without a new check. */
export const isRecentlyChecked = (endpoint: LeasedEndpoint) => remainingSends(endpoint) > 0;

/** Whether the endpoint has more to send than the last check allows. */
const needsCheck = (endpoint: LeasedEndpoint) =>
  hasWork(endpoint) && endpoint.deliveries.length - endpoint.nextIndex > remainingSends(endpoint);

/** Whether sending will soon pause for lack of a check. */
export const isCheckDue = (endpoint: LeasedEndpoint) =>
  needsCheck(endpoint) && remainingSends(endpoint) <= checkAheadSends;

/**
 * Snapshots the progress of endpoints before a query that says whether they are active. The
 * returned callback applies the result: it stops the inactive ones and lets the others continue
 * from the snapshot.
 */
export function snapshot(
  endpoints: readonly LeasedEndpoint[],
): (isStopped: (endpoint: LeasedEndpoint) => boolean) => void {
  const positions = endpoints.map((endpoint) => ({ endpoint, index: endpoint.nextIndex }));
  return (isStopped) => {
    for (const { endpoint, index } of positions) {
      endpoint.checkedIndex = Math.max(endpoint.checkedIndex, index);
      endpoint.isStopped ||= isStopped(endpoint);
    }
  };
}

/**
 * The ids of those endpoints of a shard that are not active any more or back off. Rejects when the
 * database fails.
 */
export async function findStopped(
  db: D1Database,
  endpoints: readonly LeasedEndpoint[],
): Promise<ReadonlySet<number>> {
  const [found] = await db.batch<{ id: number }>([prepareSql(db, stoppedSql(endpoints))]);
  return new Set(found?.results.map(({ id }) => id));
}

/**
 * Checks that the endpoints of a source are still active and stops the others. One round trip for
 * all endpoints that need a check, none if no endpoint does. Never rejects: if the query fails, the
 * endpoints stop, and the next lease takes the rest.
 */
export async function checkActive(
  source: { findStopped: (endpoints: readonly LeasedEndpoint[]) => Promise<ReadonlySet<number>> },
  endpoints: readonly LeasedEndpoint[],
): Promise<void> {
  const checked = endpoints.filter(needsCheck);
  if (checked.length === 0) return;
  const applyCheck = snapshot(checked);
  try {
    const stopped = await source.findStopped(checked);
    applyCheck(({ id }) => stopped.has(id));
  } catch {
    applyCheck(() => true);
  }
}
