import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as banners from '../db/schema/store/banners.ts';
import * as carts from '../db/schema/store/carts.ts';
import * as catalog from '../db/schema/store/catalog.ts';
import * as categories from '../db/schema/store/categories.ts';
import * as collections from '../db/schema/store/collections.ts';
import * as customers from '../db/schema/store/customers.ts';
import * as flags from '../db/schema/store/flags.ts';
import * as orders from '../db/schema/store/orders.ts';
import * as payments from '../db/schema/store/payments.ts';
import * as productExtras from '../db/schema/store/product-extras.ts';
import { isHereSql } from '../db/schema/store/residents.ts';
import * as settings from '../db/schema/store/settings.ts';
import * as transactions from '../db/schema/store/transactions.ts';
import { failGuard } from '../db/shards/residents.ts';
import { deleteTables } from '../platform/move/clean.ts';
import { movedTables } from '../platform/move/tables.ts';

/** The modules whose tables hold what a shop sells, to whom, and how it is set up. */
const shopModules = [
  banners,
  carts,
  catalog,
  categories,
  collections,
  customers,
  flags,
  orders,
  payments,
  productExtras,
  settings,
  transactions,
];

/**
 * The tables that a reset empties. Connections of apps, webhooks with their events and logs, imports and exports, the audit
 * and idempotency keys stay.
 */
export const emptiedTables: ReadonlySet<string> = new Set(
  shopModules
    .flatMap((module) => Object.values<unknown>(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable))
    .map(getTableName),
);

/**
 * Deletes what a test store sells and has sold, in bounded batches, while time remains. No event is sent. Returns whether
 * nothing is left. Every batch requires that the store is in this shard.
 */
export const emptyStore = (db: D1Database, storeId: number, hasTime: () => boolean) =>
  deleteTables(
    db,
    movedTables.filter(({ name }) => emptiedTables.has(name)),
    storeId,
    () => db.prepare(`select iif(${isHereSql('?1')}, 1, ${failGuard('resident')})`).bind(storeId),
    hasTime,
  );
