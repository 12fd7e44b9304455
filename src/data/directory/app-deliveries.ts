import { desc, eq, sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { appDeliveries, appWebhooks } from '../schema/directory/partners-tables.ts';

/** An event for the webhook of an app. */
export interface AppEvent {
  /** Names the cause and the app, so that a cause that is read twice is one event. */
  key: string;
  /** The id of the event. */
  id: string;
  clientId: string;
  storeId: number;
  event: string;
  body: string;
}

/**
 * The statements that record events of apps that have a webhook, and make those webhooks due. They
 * may be repeated. A webhook that backs off keeps its time.
 */
export function recordAppEvents(directory: Database, events: readonly AppEvent[], now: number) {
  if (events.length === 0) return [];
  const clientIds = JSON.stringify([...new Set(events.map(({ clientId }) => clientId))]);
  const field = (name: string) => sql`json_extract(event.value, ${`$.${name}`})`;
  return [
    rawDatabaseStatement(
      directory,
      sql`insert into ${appDeliveries} (key, event_id, client_id, store_id, event, body, created_at, due_at)
        select ${field('key')}, ${field('id')}, app_webhooks.client_id, ${field('storeId')}, ${field('event')},
          ${field('body')}, ${now}, ${now}
        from json_each(${JSON.stringify(events)}) event join ${appWebhooks} on app_webhooks.client_id = ${field('clientId')}
        where 1 on conflict (key) do nothing`,
    ),
    rawDatabaseStatement(
      directory,
      sql`update ${appWebhooks}
        set next_at = iif(failures > 0, coalesce(next_at, ${now}), min(coalesce(next_at, ${now}), ${now}))
        where client_id in (select value from json_each(${clientIds}))`,
    ),
  ];
}

/** Deliveries that the page of a webhook shows. */
const shownDeliveries = 50;

/** The latest deliveries of the webhook of an app. One round trip. */
export const listAppDeliveries = async (directory: Database, clientId: string) =>
  directory
    .select()
    .from(appDeliveries)
    .where(eq(appDeliveries.client_id, clientId))
    .orderBy(desc(appDeliveries.id))
    .limit(shownDeliveries);

/** How long deliveries are kept. */
const keptMs = 30 * dayMs;

/** Deliveries that one statement deletes. */
const maxDeleted = 500;

/** Whether {@link purgeAppDeliveries} has something to delete. */
export const hasOldAppDeliveries = (now: number) =>
  sql`exists (select 1 from ${appDeliveries} where created_at < ${now - keptMs})`;

/** Deletes deliveries of more than thirty days ago. */
export const purgeAppDeliveries = (directory: Database, now: number) =>
  rawDatabaseStatement(
    directory,
    sql`delete from ${appDeliveries} where id in (select id from ${appDeliveries}
      where created_at < ${now - keptMs} order by created_at limit ${maxDeleted})`,
  );
