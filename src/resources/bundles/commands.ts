import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { retryOnConflict, retryInTurns } from '../../db/contention/retry.ts';
import { lastResult } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { insertChildrenStatement } from '../../db/query/child-rows.ts';
import { idsSubquery, lastInsertedId } from '../../db/query/links.ts';
import { touchStatement } from '../../db/query/revision.ts';
import { skus } from '../../db/schema/store/catalog.ts';
import { bundleItems, bundles } from '../../db/schema/store/product-extras.ts';
import { ValidationError, unknownReference } from '../../errors.ts';
import { serializeBundle, bundleRelations } from '../../schemas/catalog/bundle.ts';
import type { BundleChanges, NewBundle } from './requests.ts';

type Items = NewBundle['items'];
type Shipping = Pick<NewBundle, 'shipping_type' | 'shipping_price'>;

const itemsOf = { table: bundleItems, parent: bundles, parentColumn: 'bundle_id' } as const;

/** Creates a kit with its items. Two round trips. */
export const createBundle = (db: StoreDb, { items, ...values }: NewBundle) =>
  retryOnConflict(async () => {
    const [known] = await db.batch([selectSkusOf(db, items)]);
    assertSkusExist(items, known);
    assertShippingPriced(values);
    const newId = lastInsertedId(db, bundles);
    const [, , rows] = await db.batch([
      db.insertStatement(bundles, values),
      insertChildrenStatement(db, itemsOf, newId, nonEmpty(items)),
      db.select(bundles, { where: eq(bundles.id, newId), extras: bundleRelations }),
    ]);
    return rows.map((row) => serializeBundle(db.store, row))[0];
  });

/** Updates a kit and replaces its items; the item of a SKU that stays keeps its id. Two round trips. */
export const updateBundle = (db: StoreDb, id: number, { items, ...changes }: BundleChanges) =>
  retryInTurns(db, [bundles, id], async () => {
    const [found, known] = await db.batch([db.selectOne(bundles, id), selectSkusOf(db, items)]);
    if (!found[0]) return undefined;
    assertSkusExist(items, known);
    assertShippingPriced({ ...found[0], ...changes });
    const isOfBundle = eq(bundleItems.bundle_id, id);
    const keptSkuIds = idsSubquery(items.map(({ sku_id }) => sku_id));
    const results = await db.batch([
      db.updateStatement(bundles, eq(bundles.id, id), changes),
      db.assert(isShippingPriced(id)),
      touchStatement(db, bundles, and(eq(bundles.id, id), itemsDiffer(id, items))),
      db.deleteStatement(bundleItems, and(isOfBundle, notInArray(bundleItems.sku_id, keptSkuIds))),
      insertChildrenStatement(db, itemsOf, id, nonEmpty(items), 'sku_id'),
      db.selectOne(bundles, id, bundleRelations),
    ]);
    return lastResult(results).map((row) => serializeBundle(db.store, row))[0];
  });

/** The schema guarantees at least one item. */
const nonEmpty = (items: Items) => items as [Items[number], ...Items];

const selectSkusOf = (db: StoreDb, items: Items) =>
  db.select(skus, { where: inArray(skus.id, idsSubquery(items.map(({ sku_id }) => sku_id))) });

function assertSkusExist(items: Items, known: readonly { id: number }[]) {
  const ids = new Set(known.map(({ id }) => id));
  const errors = items.flatMap(({ sku_id }, index) =>
    ids.has(sku_id)
      ? []
      : [[`items.${index}.sku_id`, ['No such SKU in this store.']] as [string, string[]]],
  );
  if (errors.length > 0) throw unknownReference(Object.fromEntries(errors));
}

function assertShippingPriced({ shipping_type, shipping_price }: Shipping) {
  if (shipping_type === 'fixed' && shipping_price === null) {
    throw new ValidationError({ shipping_price: ['Required when shipping_type is fixed.'] });
  }
}

/** {@link assertShippingPriced} as SQL, since a concurrent request may change the other of the two fields. */
const isShippingPriced = (id: number) =>
  sql`not exists (select 1 from ${bundles} where ${bundles.id} = ${id}
    and ${bundles.shipping_type} = 'fixed' and ${bundles.shipping_price} is null)`;

/** SQL condition: the kit has other items than these. */
function itemsDiffer(id: number, items: Items) {
  const { bundle_id, sku_id, quantity, price_type, price, discount } = bundleItems;
  const fromItems = sql`from ${bundleItems} where ${bundle_id} = ${id}`;
  return sql`((select count(*) ${fromItems}) <> ${items.length} or exists (
    select 1 from json_each(${JSON.stringify(items)}) where not exists (select 1 ${fromItems}
      and ${sku_id} = value ->> '$.sku_id' and ${quantity} = value ->> '$.quantity'
      and ${price_type} = value ->> '$.price_type' and ${price} is (value ->> '$.price')
      and ${discount} = value ->> '$.discount')))`;
}
