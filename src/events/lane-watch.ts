import { EndpointStatus } from '../db/schema/webhooks.ts';
import { hasWork, type Lane } from './lane.ts';

/** Sends of a lane that one consumer begins at most after its endpoint was switched off (webhooks, fault 45). */
const sendsPerLook = 6;

/** With so few of them left it looks again, so that sends hardly wait for the answer. */
const lookAhead = 1;

// A run has some lanes only. Their ids out of JSON would be three rows each instead of one.
const stoppedSql = (count: number) => `
  select id from webhook_endpoints
  where id in (${Array(count).fill('?').join(', ')})
    and (status <> ${EndpointStatus.active} or lease_rest > 0)`;

const sendsLeft = ({ next, seenAt }: Lane) => seenAt + sendsPerLook - next;

/** The endpoint was seen to be active so recently that another send may begin. */
export const isFresh = (lane: Lane) => sendsLeft(lane) > 0;

/** The lane has more to send than may begin before somebody looks. */
const wantsLook = (lane: Lane) =>
  hasWork(lane) && lane.deliveries.length - lane.next > sendsLeft(lane);

/** The lane will soon stand still unless somebody looks. */
export const isLookDue = (lane: Lane) => wantsLook(lane) && sendsLeft(lane) <= lookAhead;

/**
 * Remembers how far these lanes are when the database is asked about them. What it answers with takes the answer: stops
 * the lanes whose endpoint is not active, and lets the others go on from where they were.
 */
export function sighting(lanes: readonly Lane[]): (isStopped: (lane: Lane) => boolean) => void {
  const asked = lanes.map((lane) => ({ lane, at: lane.next }));
  return (isStopped) => {
    for (const { lane, at } of asked) {
      lane.seenAt = Math.max(lane.seenAt, at);
      lane.isStopped ||= isStopped(lane);
    }
  };
}

/**
 * Asks whether the endpoints of a shard's lanes are still active. One round trip for all lanes that have more to send,
 * none when no lane has. Never rejects: when the database does not answer the lanes stop, and the next lease takes what
 * they have left.
 */
export async function look(db: D1Database, lanes: readonly Lane[]): Promise<void> {
  const watched = lanes.filter(wantsLook);
  if (watched.length === 0) return;
  const seen = sighting(watched);
  const asking = db.prepare(stoppedSql(watched.length)).bind(...watched.map(({ id }) => id));
  try {
    const [found] = await db.batch<{ id: number }>([asking]);
    const stopped = new Set(found?.results.map(({ id }) => id));
    seen(({ id }) => stopped.has(id));
  } catch {
    seen(() => true);
  }
}
