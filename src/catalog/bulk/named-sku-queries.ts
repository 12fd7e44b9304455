import { sql } from 'drizzle-orm';
import type { Listing } from '../../base/codecs/listing/options.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { StoreTable } from '../../data/core/store-table.ts';
import { countList, type ListCount } from '../../data/lists/count.ts';
import { planList } from '../../data/lists/list-plan.ts';
import { pageIds } from '../../data/lists/page-ids.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { productLinkedFilters } from '../linked-filters.ts';

/**
 * The condition that a record belongs to the store. The plus keeps SQLite from walking all records
 * of the store.
 */
const inStore = ({ store }: StoreDb, table: StoreTable) => sql`+${table.store_id} = ${store.id}`;

/** SKUs by id and by `sku_key`. */
export interface NamedSkus {
  ids: readonly number[];
  keys: readonly string[];
}

/**
 * The ids of the SKUs of the store that are named, as a subquery, perhaps some of them twice. Reads
 * each of them by key: SQLite would walk along all SKUs of the store to merge the ids without
 * repetitions.
 */
export const namedSkuIds = (db: StoreDb, { ids, keys }: NamedSkus) =>
  sql`(select ${skus.id} from ${skus} where ${inStore(db, skus)}
      and ${skus.id} in (select value from json_each(${JSON.stringify(ids)}))
    union all select ${skus.id} from ${skus} where ${skus.store_id} = ${db.store.id}
      and ${skus.sku_key} in (select value from json_each(${JSON.stringify(keys)})))`;

/** The prices of a SKU in cents; `skus` is the number of SKUs of its product. */
export interface PricedSku {
  id: number;
  sku: string;
  product_id: number;
  price_sale: number;
  price_discount: number | null;
  price_cost: number;
  skus: number;
}

/** Selects the prices of the SKUs that are named. */
export const selectPrices = (db: StoreDb, named: NamedSkus) =>
  rawStatement<PricedSku>(
    db,
    sql`select id, sku, product_id, price_sale, price_discount, price_cost,
        (select count(*) from ${skus} other where other.product_id = priced.product_id) as skus
      from ${skus} priced where +store_id = ${db.store.id} and id in ${namedSkuIds(db, named)}`,
  );

/** A SKU with the texts that tell it from other variants. */
export interface FoundSku extends PricedSku {
  title: string | null;
  /** JSON. */
  variations: string;
}

/**
 * Selects the prices of the SKUs of all products that a query finds, and how many products these
 * are. Both are bounded: one SKU more than `most.skus` comes if there are more.
 */
export function selectFoundPrices(
  db: StoreDb,
  query: Listing,
  most: { products: number; skus: number },
) {
  const plan = planList(products, db.store.id, query, { linked: productLinkedFilters });
  const window = { limit: most.products, offset: 0 };
  const found = rawStatement<FoundSku>(
    db,
    sql`select id, sku, title, variations, product_id, price_sale, price_discount, price_cost,
        count(*) over (partition by product_id) as skus
      from ${skus} where +store_id = ${db.store.id} and product_id in (${pageIds(plan, window)})
      order by product_id, id limit ${most.skus + 1}`,
  );
  return [found, rawStatement<ListCount>(db, countList(plan, window, undefined))] as const;
}

/** A stock, by the id of its row, with either a new quantity or the amount that is added to it. */
export interface StockMove {
  id: number;
  quantity?: number | undefined;
  delta?: number | undefined;
}

/**
 * Changes any number of stocks in one statement, each relative to the quantity that is stored then.
 * Aborts the batch with a `ConflictError` unless each of them changes and keeps at least the
 * reserved quantity, and at most `max`.
 */
export function moveQuantitiesStatements(db: StoreDb, moves: readonly StockMove[], max: number) {
  const next = sql`coalesce(move.value ->> 'quantity', ${stocks.quantity} + (move.value ->> 'delta'))`;
  return [
    rawStatement(
      db,
      sql`update ${stocks} set quantity = ${next}, updated_at = ${db.now}
        from json_each(${JSON.stringify(moves)}) move
        where ${stocks.id} = move.value ->> 'id' and ${inStore(db, stocks)}
          and ${next} between ${stocks.reserved} and ${max} and ${next} <> ${stocks.quantity}`,
    ),
    db.assert(sql`changes() = ${moves.length}`),
  ];
}
