import { sql } from 'drizzle-orm';
import { rawStatement } from '../../db/core/raw.ts';
import { markPreparatory, type Statement } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { webhookTrials } from '../../db/schema/store/webhook-operations.ts';
import { webhookEndpoints } from '../../db/schema/store/webhooks.ts';
import { trialHostOf } from '../delivery/trials.ts';

/** Columns to set with a URL: another URL has proven nothing yet. */
export const unprovenUnlessEqual = (url: string | undefined) =>
  url === undefined
    ? {}
    : {
        proven_at: sql`iif(${webhookEndpoints.url} = ${url}, ${webhookEndpoints.proven_at}, null)`,
      };

/** Statements after a ping of an endpoint of the store that `url` accepted, unless the endpoint has another URL by now. */
export function proveStatements(db: StoreDb, id: number, url: string): Statement[] {
  const { store, now } = db;
  return [
    sql`update ${webhookEndpoints} set proven_at = ${now}
      where id = ${id} and store_id = ${store.id} and url = ${url} and proven_at is null`,
    sql`delete from ${webhookTrials} where store_id = ${store.id} and host = ${trialHostOf(url)}`,
  ].map((statement) => markPreparatory(rawStatement(db, statement)));
}
