import { sql } from 'drizzle-orm';
import {
  conflict,
  gone,
  ValidationError,
  notFound,
  unknownReference,
  ConflictError,
} from '../../base/errors.ts';
import { eventOrder } from '../../data/core/event-id.ts';
import { rawStatement } from '../../data/core/raw.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import {
  ReplayState,
  webhookReplays,
  type ReplayFilter,
} from '../../data/schema/store/webhook-operations-tables.ts';
import {
  webhookEndpoints,
  EndpointStatus,
  webhookDeliveries,
  webhookEvents,
} from '../../data/schema/store/webhooks-tables.ts';
import type { Actor } from '../endpoints/audit-endpoint.ts';
import { endpointIsVisible, isOwnedBy } from '../endpoints/endpoint-access.ts';
import { unreceivableEvent } from '../endpoints/endpoint-consent.ts';
import { isFirstAttemptPending } from '../log/delivery-record.ts';
import { endSeqAt, firstSeqAt } from '../log/seq-range.ts';
import {
  toReplayRow,
  replayStatements,
  singleReplayStatements,
  type StartedReplay,
} from './record.ts';
import {
  countQuery,
  subscriptionColumns,
  sourceQuery,
  type ReplaySource,
} from './replay-source.ts';

/** Maximum number of deliveries in the range of one replay. */
const maxReplayDeliveries = 10_000;

/**
 * Starts a replay: one delivery or event is due at once, a range is continued by the sweep. Returns
 * the replay, or `undefined` when the caller may not see the endpoint. Two round trips. Throws
 *
 * - a 404 for an unknown delivery or event, and a 410 after its body has been purged,
 * - a 403 for an event that the endpoint may not receive now,
 * - a `ValidationError` for a range of more than 10,000 deliveries,
 * - a 409 for a delivery that was never sent and will be, and while another range of the endpoint
 *   is in progress.
 */
export async function startReplay(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: ReplayFilter,
): Promise<StartedReplay | undefined> {
  return 'from' in filter ? startRange(db, actor, id, filter) : replayOne(db, actor, id, filter);
}

const replayOne = (
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: Exclude<ReplayFilter, { from: number }>,
) =>
  retryOnConflict(async () => {
    const [endpoints, sources] = await db.batch([
      visibleEndpoint(db, actor, id),
      rawStatement<ReplaySource>(db, sourceQuery(db, id, filter)),
    ]);
    if (endpoints.length === 0) return undefined;
    const [field] = Object.keys(filter);
    const [source] = sources;
    if (!source)
      throw unknownReference({ [field!]: ['No such event in the log of this webhook.'] });
    if (!source.has_body) throw gone({ [field!]: ['The body of this event has been deleted.'] });
    if (!source.may_receive)
      throw unreceivableEvent(source.event, JSON.parse(source.grants) as number[]);
    if (source.is_pending) throw notSentYet(field!);
    const event = { seq: source.seq, event: source.event_id };
    const results = await db.batch(singleReplayStatements(db, actor, id, filter, event));
    db.wakeEndpoints([id]);
    return toReplayRow(results.at(-1), filter);
  });

/** The first attempt is still to come, so a replay would send the event twice. */
const notSentYet = (field: string) =>
  conflict('not_sent_yet', { [field]: ['Has not been sent yet, and will be without a replay.'] });

async function startRange(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: Extract<ReplayFilter, { from: number }>,
) {
  const isFree = sql`not exists (select 1 from ${webhookReplays}
    where endpoint_id = ${id} and state = ${ReplayState.running})`;
  const [endpoints, [matching]] = await db.batch([
    visibleEndpoint(db, actor, id),
    rawStatement<{ total: number; first: number; last: number }>(
      db,
      countQuery(id, filter, maxReplayDeliveries + 1),
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const { total = 0, first = 0, last = 0 } = matching ?? {};
  if (total > maxReplayDeliveries) {
    throw new ValidationError({ from: ['Must contain at most 10,000 deliveries.'] });
  }
  const state = total === 0 ? ReplayState.done : ReplayState.running;
  try {
    const range = { filter, cursor: Math.max(0, first), last: Math.max(0, last), total, state };
    const results = await db.batch(replayStatements(db, actor, id, range, [db.assert(isFree)]));
    if (state === ReplayState.done) db.wakeEndpoints([id]);
    return toReplayRow(results.at(-1), filter);
  } catch (error) {
    throw error instanceof ConflictError ? conflict('replay_under_way') : error;
  }
}

const visibleEndpoint = (db: StoreDb, actor: Actor, id: number) =>
  rawStatement(
    db,
    sql`select id from ${webhookEndpoints} where id = ${id} and ${endpointIsVisible(db, id, actor)}`,
  );

/**
 * Sends one event again to every endpoint of the caller that first received it and may receive it
 * now. Skips deleted endpoints and those that it will still be sent to. Returns one replay for
 * each. Two round trips. Throws
 *
 * - a 404 when none of their logs has the event,
 * - a 410 after its body has been purged,
 * - a 403 when none of them may receive it,
 * - a 409 when all will get it anyway.
 */
export const replayEvent = (db: StoreDb, actor: Actor, id: string): Promise<StartedReplay[]> =>
  retryOnConflict(async () => {
    const [[event], originals] = await db.batch([
      rawStatement<{ name: EventName }>(
        db,
        sql`select event as name from ${webhookEvents} where id = ${id} and store_id = ${db.store.id}`,
      ),
      originalDeliveries(db, actor, id),
    ]);
    const [first] = originals;
    if (!first) throw notFound();
    if (!event) throw gone({ event_id: ['The body of this event has been deleted.'] });
    const received = originals.filter((original) => original.may_receive === 1);
    if (received.length === 0)
      throw unreceivableEvent(event.name, JSON.parse(first.grants) as number[]);
    const deliveries = received.filter((original) => original.is_pending === 0);
    if (deliveries.length === 0) throw notSentYet('event_id');
    const filter = { event_id: id };
    const parts = deliveries.map(({ endpoint, seq }) =>
      singleReplayStatements(db, actor, endpoint, filter, { seq, event: id }),
    );
    const results: readonly unknown[] = await db.batch(parts.flat());
    db.wakeEndpoints(deliveries.map(({ endpoint }) => endpoint));
    // All parts have the same number of statements. The last statement of each returns its replay.
    return parts.flatMap((part, index) => {
      const replay = toReplayRow(results[(index + 1) * part.length - 1], filter);
      return replay ? [replay] : [];
    });
  });

/**
 * A query for the original deliveries of an event. The time in its id bounds the search, so it
 * reads some twenty rows of each log and the deliveries of two minutes.
 */
function originalDeliveries(db: StoreDb, actor: Actor, id: string) {
  const moment = eventOrder(id);
  const endpoint = sql`own.id`;
  const event = sql`(select event from ${webhookEvents} where id = ${id})`;
  return rawStatement<{
    endpoint: number;
    seq: number;
    is_pending: number;
    may_receive: number;
    grants: string;
  }>(
    db,
    sql`with own as materialized (select id from ${webhookEndpoints}
        where ${webhookEndpoints.store_id} = ${db.store.id}
          and ${webhookEndpoints.status} <> ${EndpointStatus.deleted} and ${isOwnedBy(actor) ?? sql`true`})
      select own.id as endpoint, delivery.seq, ${isFirstAttemptPending(endpoint)} as is_pending, ${subscriptionColumns(endpoint, event, db.now)}
      from own cross join ${webhookDeliveries} delivery
      where delivery.endpoint_id = own.id and delivery.seq >= ${firstSeqAt(endpoint, moment)}
        and delivery.seq < ${endSeqAt(endpoint, moment)}
        and delivery.event_id = ${id} and delivery.trigger <> 'replay'
      order by own.id`,
  );
}
