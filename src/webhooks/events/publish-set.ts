import { sql, type SQL } from 'drizzle-orm';
import { eventIdentities, eventScope } from '../../data/core/event-id.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { BatchResults, Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import { inParameters } from '../../data/queries/json-parameters.ts';
import {
  webhookDeliveries,
  webhookEndpoints,
  webhookEvents,
} from '../../data/schema/store/webhooks-tables.ts';
import {
  eventBody,
  isReceived,
  isReceiver,
  newDeliveryState,
  takeNumbers,
  withStored,
} from './fan-out.ts';
import { runWithFanOut, type FanOut, type PublishOptions, type StoreEvent } from './publish.ts';

/** Many events of one name, which one transaction records in their order. */
export interface EventSet {
  name: EventName;
  /** `key` is the value of {@link eventKey}. */
  events: readonly ({ key: number } & Pick<StoreEvent, 'resource' | 'changed'>)[];
  /**
   * Members of each resource by path, which the transaction itself reads after the change from the
   * rows that `join` adds.
   */
  stored?: { join: SQL; members: Readonly<Record<string, SQL>> };
}

/** In the SQL of a set's `stored`: the key of the event. */
export const eventKey = sql.raw(`(item.value ->> 0)`);

/**
 * Runs a change and records a set of events, as `publish` does for a few. The number of statements
 * does not grow with that of the events, but with their size.
 */
export const publishSet = <const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  set: EventSet,
  options: PublishOptions = {},
): Promise<BatchResults<S>> => publishSets(db, statements, [set], options);

/** Runs a change and records several sets of events, each of another name. */
export async function publishSets<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  sets: readonly EventSet[],
  options: PublishOptions = {},
): Promise<BatchResults<S>> {
  const fanOuts = sets.filter(({ events }) => events.length > 0).map((set) => fanOutSet(db, set));
  const fanOut = {
    statements: fanOuts.flatMap((one) => one.statements),
    randomEnds: fanOuts.flatMap((one) => one.randomEnds),
  };
  return runWithFanOut(db, statements, fanOut, options);
}

function fanOutSet(db: StoreDb, { name, events, stored }: EventSet): FanOut {
  const scope = eventScope(db);
  const ids = eventIdentities(scope, events.length);
  const items = events.map(({ key, resource, changed }, index) =>
    JSON.stringify([
      key,
      ids.randomEnds[index],
      changed?.join() || null,
      eventBody(db, name, resource),
    ]),
  );
  const receives = isReceiver(scope, name);
  const newId = ids.newId(sql.raw('item.key'), sql.raw(`(item.value ->> 1)`));
  const body = withStored(sql.raw(`(item.value ->> 3)`), stored?.members ?? {});
  const inserts = inParameters(items).map((parameter) =>
    rawStatement(
      db,
      sql`insert into ${webhookEvents} (id, store_id, event, body, changed, created_at)
        select ${newId}, ${db.store.id}, ${name}, ${body}, item.value ->> 2, ${db.now}
        from json_each(${parameter}) item ${stored?.join ?? sql``}
        where ${isReceived(scope, name)}`,
    ),
  );
  const count = events.length;
  return {
    randomEnds: ids.randomEnds,
    statements: [
      ...inserts,
      rawStatement(db, takeNumbers(scope, name, { count, areRecorded: ids.areRecorded })),
      rawStatement(
        db,
        sql`insert into ${webhookDeliveries} (endpoint_id, seq, event_id, state, due_at, created_at)
          select ${webhookEndpoints.id}, last_seq - ${count} + recorded.place, recorded.event_id, ${newDeliveryState}, 0, ${db.now}
          from ${webhookEndpoints} cross join
            (select id as event_id, row_number() over (order by id) as place from ${ids.recordedIds}) recorded
          where ${receives} and ${ids.areRecorded}`,
      ),
    ],
  };
}
