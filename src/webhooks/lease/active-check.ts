import { EndpointStatus } from '../../db/schema/store/webhooks.ts';
import { hasWork, type LeasedEndpoint } from './leased-endpoint.ts';

/** Sends that one worker starts at most after an endpoint was disabled (fault 45). */
const sendsPerCheck = 6;

/** With this many sends left, the next check starts, so that sends rarely wait for it. */
const checkAheadSends = 1;

// A run has few endpoints. Ids out of JSON would cost three rows read each instead of one.
const stoppedSql = (count: number) => `
  select id from webhook_endpoints
  where id in (${Array(count).fill('?').join(', ')})
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
 * Snapshots the progress of endpoints before a query that says whether they are active. The returned callback applies
 * the result: it stops the inactive ones and lets the others go on from the snapshot.
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
 * Checks that the endpoints of a shard are still active and stops the others. One round trip for all endpoints that
 * need a check, none if no endpoint does. Never rejects: if the query fails, the endpoints stop, and the next lease
 * takes what is left.
 */
export async function checkActive(
  db: D1Database,
  endpoints: readonly LeasedEndpoint[],
): Promise<void> {
  const checked = endpoints.filter(needsCheck);
  if (checked.length === 0) return;
  const applyCheck = snapshot(checked);
  const query = db.prepare(stoppedSql(checked.length)).bind(...checked.map(({ id }) => id));
  try {
    const [found] = await db.batch<{ id: number }>([query]);
    const stopped = new Set(found?.results.map(({ id }) => id));
    applyCheck(({ id }) => stopped.has(id));
  } catch {
    applyCheck(() => true);
  }
}
