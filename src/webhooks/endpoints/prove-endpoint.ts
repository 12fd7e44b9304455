import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import { markPreparatory, type Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { unverifiedEndpoints } from '../../data/schema/store/webhook-operations-tables.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { unverifiedHostOf } from '../delivery/unverified-endpoints.ts';

/** Columns to set with a URL: another URL is not verified yet. */
export const unverifiedUnlessEqual = (url: string | undefined) =>
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
    sql`delete from ${unverifiedEndpoints} where store_id = ${store.id} and host = ${unverifiedHostOf(url)}`,
  ].map((statement) => markPreparatory(rawStatement(db, statement)));
}
