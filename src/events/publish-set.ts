import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../db/core/raw.ts';
import type { BatchResults, Statement } from '../db/core/statement.ts';
import type { StoreDb } from '../db/core/store-db.ts';
import { webhookDeliveries, webhookEndpoints, webhookEvents } from '../db/schema/store/webhooks.ts';
import type { EventName } from './catalogue.ts';
import { eventIdentities } from './event-id.ts';
import {
  eventBody,
  isHearer,
  newDeliveryState,
  takeNumbersStatement,
  withStored,
} from './fan-out.ts';
import { runWithFanOut, type FanOut } from './publish.ts';

/** Many events of one name, which one transaction records in their order. */
interface EventSet {
  name: EventName;
  /** `key` is what {@link eventKey} stands for. */
  events: readonly { key: number; resource: object }[];
  /** Members of each resource by path, which the transaction itself reads after the change from what `join` joins. */
  stored?: { join: SQL; members: Readonly<Record<string, SQL>> };
}

/** In the SQL of a set's `stored`: the key of the event. */
export const eventKey = sql.raw(`(item.value ->> 'key')`);

/** The characters of bodies in one statement. A parameter holds 2,000,000 bytes, and a character takes up to three. */
const maxCharacters = 500_000;

/**
 * Runs a change and records a set of events, as `publish` does for a few. The number of statements does not grow with that of
 * the events, but with their size.
 */
export async function publishSet<const S extends readonly Statement[]>(
  db: StoreDb,
  statements: S,
  set: EventSet,
  options: { isPreparatory?: boolean } = {},
): Promise<BatchResults<S>> {
  const fanOut = set.events.length === 0 ? noEvents : fanOutSet(db, set);
  return runWithFanOut(db, statements, fanOut, options);
}

const noEvents: FanOut = { statements: [], randomEnds: [] };

function fanOutSet(db: StoreDb, { name, events, stored }: EventSet): FanOut {
  const { store, now } = db;
  const ids = eventIdentities(db, events.length);
  const items = events.map(({ key, resource }, index) =>
    JSON.stringify({ key, end: ids.randomEnds[index], body: eventBody(db, name, resource) }),
  );
  const hears = isHearer(db, name);
  const newId = ids.newId(sql.raw('item.key'), sql.raw(`(item.value ->> 'end')`));
  const body = withStored(sql.raw(`(item.value ->> 'body')`), stored?.members ?? {});
  const inserts = inPortions(items).map((portion) =>
    rawStatement(
      db,
      sql`insert into ${webhookEvents} (id, store_id, event, body, created_at)
        select ${newId}, ${store.id}, ${name}, ${body}, ${now}
        from json_each(${`[${portion.join()}]`}) item ${stored?.join ?? sql``}
        where exists (select 1 from ${webhookEndpoints} where ${hears})`,
    ),
  );
  const count = events.length;
  return {
    randomEnds: ids.randomEnds,
    statements: [
      ...inserts,
      takeNumbersStatement(db, name, { count, areRecorded: ids.areRecorded }),
      rawStatement(
        db,
        sql`insert into ${webhookDeliveries} (endpoint_id, seq, event_id, state, due_at, created_at)
          select ${webhookEndpoints.id}, last_seq - ${count} + recorded.place, recorded.event_id, ${newDeliveryState}, 0, ${now}
          from ${webhookEndpoints} cross join
            (select id as event_id, row_number() over (order by id) as place from ${ids.recordedIds}) recorded
          where ${hears} and ${ids.areRecorded}`,
      ),
    ],
  };
}

/** Splits texts into portions that fit into a parameter each. */
function inPortions(texts: readonly string[]): string[][] {
  const portions: string[][] = [];
  let left = 0;
  for (const text of texts) {
    if (text.length > left) {
      portions.push([]);
      left = maxCharacters;
    }
    portions.at(-1)?.push(text);
    left -= text.length;
  }
  return portions;
}
