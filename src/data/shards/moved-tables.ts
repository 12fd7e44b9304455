import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import * as audit from '../schema/store/audit-tables.ts';
import * as banners from '../schema/store/banners-tables.ts';
import * as carts from '../schema/store/carts-tables.ts';
import * as catalog from '../schema/store/catalog-tables.ts';
import * as categories from '../schema/store/categories-tables.ts';
import * as collections from '../schema/store/collections-tables.ts';
import * as customers from '../schema/store/customers-tables.ts';
import * as flags from '../schema/store/flags-tables.ts';
import * as grants from '../schema/store/grants-tables.ts';
import * as internal from '../schema/store/internal-tables.ts';
import * as notices from '../schema/store/notices-tables.ts';
import * as orders from '../schema/store/orders-tables.ts';
import * as payments from '../schema/store/payments-tables.ts';
import * as productExtras from '../schema/store/product-extras-tables.ts';
import * as settings from '../schema/store/settings-tables.ts';
import * as transactions from '../schema/store/transactions-tables.ts';
import * as transfers from '../schema/store/transfers-tables.ts';
import * as webhookOperations from '../schema/store/webhook-operations-tables.ts';
import * as webhooks from '../schema/store/webhooks-tables.ts';

/** A table whose rows move with their store. */
export interface MovedTable {
  name: string;
  columns: readonly string[];
  /**
   * The column with the store; or the column and the table of the records that the rows belong to.
   */
  owner: 'store_id' | { column: string; parent: string };
  /** The key columns behind the owner; together they are unique. */
  key: readonly string[];
  /** A column that refers to a row of the same table. It is filled in when all rows are there. */
  selfReference: string | undefined;
  /**
   * The columns that refer to the id of a row of another table. Rows outlive the others only where
   * they may be null.
   */
  references: readonly { column: string; parent: string; mayBeNull: boolean }[];
}

/**
 * The tables whose rows are found through another table, because they have no `store_id` or no
 * index on it. Each has the column that names the record to which a row belongs, and the table of
 * that record.
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
  'incoming_moves',
  'outgoing_moves',
  'long_changes',
  'resealings',
  'placements',
  'schema_version',
  'sequences',
  'shard_identity',
  'store_loads',
  'timer_bounds',
  'totals',
  'transfer_steps',
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
    references: references.flatMap(({ columns: [column], foreignTable }) =>
      column && getTableName(foreignTable) !== name
        ? [{ column: column.name, parent: getTableName(foreignTable), mayBeNull: !column.notNull }]
        : [],
    ),
  };
}

/**
 * Every table after those that its rows refer to, and after the one that its rows are found
 * through.
 */
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
