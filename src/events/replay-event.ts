import { sql } from 'drizzle-orm';
import { untilFresh } from '../db/fresh.ts';
import { rawStatement } from '../db/raw.ts';
import {
  EndpointStatus,
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { gone, notFound } from '../problem.ts';
import type { Actor } from './audit.ts';
import { owned } from './endpoint-access.ts';
import { orderOf } from './event-id.ts';
import { seqAfter, seqBefore } from './log-position.ts';
import { recorded, recordingOne, type ReplayRow } from './replay-record.ts';

/**
 * Sends one event again to every endpoint of the caller that it was meant for when it happened, but to no deleted one.
 * Answers with a replay for each. Throws a 404 for an event that the logs of these do not have, a 410 for one whose body
 * is kept no longer. Two round trips.
 */
export const replayEvent = (db: StoreDb, actor: Actor, id: string): Promise<ReplayRow[]> =>
  untilFresh(async () => {
    const [events, deliveries] = await db.batch([
      rawStatement(
        db,
        sql`select id from ${webhookEvents} where id = ${id} and store_id = ${db.store.id}`,
      ),
      deliveriesOf(db, actor, id),
    ]);
    if (deliveries.length === 0) throw notFound();
    if (events.length === 0) {
      throw gone({ event_id: ['The body of this event is kept no longer.'] });
    }
    const filter = { event_id: id };
    const parts = deliveries.map(({ endpoint, seq }) =>
      recordingOne(db, actor, endpoint, filter, { seq, event: id }),
    );
    const results: readonly unknown[] = await db.batch(parts.flat());
    db.wake(deliveries.map(({ endpoint }) => endpoint));
    // Each part has as many statements as the others, and its last one answers with its replay.
    return parts.flatMap((part, index) => {
      const replay = recorded(results[(index + 1) * part.length - 1], filter);
      return replay ? [replay] : [];
    });
  });

/**
 * The first deliveries of an event, which stand in each log about where their moment is: all that is read of it is some
 * twenty rows and those of two minutes.
 */
function deliveriesOf(db: StoreDb, actor: Actor, id: string) {
  const moment = orderOf(id);
  const endpoint = sql`own.id`;
  return rawStatement<{ endpoint: number; seq: number }>(
    db,
    sql`with own as materialized (select id from ${webhookEndpoints}
        where ${webhookEndpoints.store_id} = ${db.store.id}
          and ${webhookEndpoints.status} <> ${EndpointStatus.deleted} and ${owned(actor) ?? sql`true`})
      select own.id as endpoint, d.seq from own cross join ${webhookDeliveries} d
      where d.endpoint_id = own.id and d.seq >= ${seqBefore(endpoint, moment)}
        and d.seq < ${seqAfter(endpoint, moment)}
        and d.event_id = ${id} and d.trigger <> 'replay'
      order by own.id`,
  );
}
