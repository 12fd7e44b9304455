import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as audit from '../../db/schema/store/audit.ts';
import * as banners from '../../db/schema/store/banners.ts';
import * as carts from '../../db/schema/store/carts.ts';
import * as catalog from '../../db/schema/store/catalog.ts';
import * as categories from '../../db/schema/store/categories.ts';
import * as collections from '../../db/schema/store/collections.ts';
import * as customers from '../../db/schema/store/customers.ts';
import * as flags from '../../db/schema/store/flags.ts';
import * as grants from '../../db/schema/store/grants.ts';
import * as internal from '../../db/schema/store/internal.ts';
import * as notices from '../../db/schema/store/notices.ts';
import * as orders from '../../db/schema/store/orders.ts';
import * as payments from '../../db/schema/store/payments.ts';
import * as productExtras from '../../db/schema/store/product-extras.ts';
import * as settings from '../../db/schema/store/settings.ts';
import * as transactions from '../../db/schema/store/transactions.ts';
import * as transfers from '../../db/schema/store/transfers.ts';
import * as webhookOperations from '../../db/schema/store/webhook-operations.ts';
import * as webhooks from '../../db/schema/store/webhooks.ts';

/** A table whose rows move with their store. */
export interface MovedTable {
  name: string;
  columns: readonly string[];
  /** The column with the store; or the column and the table of the records that the rows belong to. */
  owner: 'store_id' | { column: string; parent: string };
  /** The key columns behind the owner; together they are unique. */
  key: readonly string[];
  /** A column that refers to a row of the same table. It is filled in when all rows are there. */
  selfReference: string | undefined;
}

/**
 * The tables whose rows are found through another table, because they have no `store_id` or no index on it: the column that
 * names the record to which a row belongs, and the table of that record.
 */
const parents: Readonly<Record<string, readonly [column: string, parent: string]>> = {
  addresses: ['customer_id', 'customers'],
  bundle_items: ['bundle_id', 'bundles'],
  cart_items: ['cart_id', 'carts'],
  category_banners: ['category_id', 'categories'],
  category_filter_values: ['category_id', 'categories'],
  category_products: ['category_id', 'categories'],
  collection_banners: ['collection_id', 'collections'],
  collection_products: ['collection_id', 'collections'],
  collection_rules: ['collection_id', 'collections'],
  customization_products: ['customization_id', 'customizations'],
  flag_rules: ['flag_id', 'flags'],
  invoices: ['order_id', 'orders'],
  order_addresses: ['order_id', 'orders'],
  order_items: ['order_id', 'orders'],
  order_statuses: ['order_id', 'orders'],
  payment_installments: ['payment_id', 'payments'],
  product_images: ['product_id', 'products'],
  stocks: ['sku_id', 'skus'],
  transfer_errors: ['transfer_id', 'transfers'],
  webhook_attempts: ['endpoint_id', 'webhook_endpoints'],
  webhook_deliveries: ['endpoint_id', 'webhook_endpoints'],
  webhook_notices: ['endpoint_id', 'webhook_endpoints'],
  webhook_replays: ['endpoint_id', 'webhook_endpoints'],
};

/** The tables of a shard itself, whose rows stay. Triggers keep `totals` while rows are copied. */
export const shardTables: ReadonlySet<string> = new Set([
  'arrivals',
  'assertions',
  'departures',
  'pulse',
  'resealings',
  'residents',
  'schema_version',
  'sequences',
  'shard_identity',
  'timer_bounds',
  'totals',
  'transfer_turns',
  'webhook_hosts',
  'withdrawal_progress',
]);

const schemas = [
  audit,
  banners,
  carts,
  catalog,
  categories,
  collections,
  customers,
  flags,
  grants,
  internal,
  notices,
  orders,
  payments,
  productExtras,
  settings,
  transactions,
  transfers,
  webhookOperations,
  webhooks,
];

function describe(table: SQLiteTable): MovedTable | undefined {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table);
  const stored = columns.filter(({ generated }) => !generated);
  const parent = parents[name];
  const hasStore = columns.some((column) => column.name === 'store_id');
  if (shardTables.has(name) || (!hasStore && !parent)) return undefined;
  const owner = parent ? { column: parent[0], parent: parent[1] } : 'store_id';
  const ownerColumn = parent?.[0] ?? 'store_id';
  const primary = primaryKeys.flatMap((key) => key.columns);
  const id = columns.filter((column) => column.primary);
  const references = foreignKeys.map((key) => key.reference());
  const own = references.find(({ foreignTable }) => getTableName(foreignTable) === name);
  return {
    name,
    columns: stored.map((column) => column.name),
    owner,
    key: [...id, ...primary].map((column) => column.name).filter((key) => key !== ownerColumn),
    selfReference: own?.columns[0]?.name,
  };
}

/** Every table after those that its rows refer to, and after the one that its rows are found through. */
function inOrderOfReferences(tables: readonly SQLiteTable[]): SQLiteTable[] {
  const byName = new Map(tables.map((table) => [getTableName(table), table]));
  const sorted = new Set<SQLiteTable>();
  const visit = (table: SQLiteTable) => {
    if (sorted.has(table)) return;
    const { name, foreignKeys } = getTableConfig(table);
    const parent = byName.get(parents[name]?.[1] ?? '');
    const referred = foreignKeys.map((key) => key.reference().foreignTable);
    for (const other of [...(parent ? [parent] : []), ...referred]) {
      if (other !== table) visit(other);
    }
    sorted.add(table);
  };
  for (const table of tables) visit(table);
  return [...sorted];
}

const allTables = schemas
  .flatMap((schema) => Object.values<unknown>(schema))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable));

/** The tables of a shard in the schema, by name. */
export const schemaTables: ReadonlyMap<string, SQLiteTable> = new Map(
  allTables.map((table) => [getTableName(table), table]),
);

/** The tables that move with a store, each after those that its rows refer to. */
export const movedTables: readonly MovedTable[] = inOrderOfReferences(allTables).flatMap(
  (table) => describe(table) ?? [],
);
