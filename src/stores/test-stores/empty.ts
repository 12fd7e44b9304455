import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { abortUnless } from '../../data/core/data-errors.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import * as banners from '../../data/schema/store/banners-tables.ts';
import * as carts from '../../data/schema/store/carts-tables.ts';
import * as catalog from '../../data/schema/store/catalog-tables.ts';
import * as categories from '../../data/schema/store/categories-tables.ts';
import * as collections from '../../data/schema/store/collections-tables.ts';
import * as customers from '../../data/schema/store/customers-tables.ts';
import * as flags from '../../data/schema/store/flags-tables.ts';
import * as orders from '../../data/schema/store/orders-tables.ts';
import * as payments from '../../data/schema/store/payments-tables.ts';
import { isHere } from '../../data/schema/store/placement-tables.ts';
import * as productExtras from '../../data/schema/store/product-extras-tables.ts';
import * as settings from '../../data/schema/store/settings-tables.ts';
import * as transactions from '../../data/schema/store/transactions-tables.ts';
import { deleteTables } from '../../data/shards/clean-store.ts';
import { movedTables } from '../../data/shards/moved-tables.ts';

/** The modules whose tables hold the products, the customers and the configuration of a shop. */
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
 * The tables that a reset empties. Connections of apps, webhooks with their events and logs,
 * imports and exports, the audit and idempotency keys stay.
 */
export const emptiedTables: ReadonlySet<string> = new Set(
  shopModules
    .flatMap((module) => Object.values<unknown>(module))
    .filter((value): value is SQLiteTable => is(value, SQLiteTable))
    .map(getTableName),
);

/**
 * Deletes the products, customers and sales of a test store, in bounded batches, while time
 * remains. Sends no event. Returns whether nothing remains. Every batch requires that the store is
 * in this shard.
 */
export const emptyStore = (db: Database, storeId: number, hasTime: () => boolean) =>
  deleteTables(
    db,
    movedTables.filter(({ name }) => emptiedTables.has(name)),
    storeId,
    () => rawDatabaseStatement(db, abortUnless(isHere(storeId), 'placement')),
    hasTime,
  );
