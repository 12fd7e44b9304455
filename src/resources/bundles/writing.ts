import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { insertionBelow } from '../../db/children.ts';
import { untilFresh } from '../../db/fresh.ts';
import { idList, newestOf } from '../../db/links.ts';
import { bundleItems, bundles, skus } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { touch } from '../../db/touch.ts';
import { InvalidBody, notFound } from '../../problem.ts';
import { present, withItems } from './reading.ts';
import type { BundleChanges, NewBundle } from './request.ts';

type Items = NewBundle['items'];
type Shipping = Pick<NewBundle, 'shipping_type' | 'shipping_price'>;

const itemsOf = { table: bundleItems, parent: bundles, by: 'bundle_id' } as const;

/** Adds a kit with its items. Two round trips. */
export const createBundle = (db: StoreDb, { items, ...values }: NewBundle) =>
  untilFresh(async () => {
    const [known] = await db.batch([skusOf(db, items)]);
    refuseUnknown(items, known);
    refuseUnlessPriced(values);
    const newest = newestOf(db, bundles);
    const [, , rows] = await db.batch([
      db.insertion(bundles, values),
      insertionBelow(db, itemsOf, newest, listed(items)),
      db.select(bundles, { where: eq(bundles.id, newest), extras: withItems }),
    ]);
    return rows.map((row) => present(db.store, row))[0];
  });

/** Changes a kit and replaces its items; that of a SKU which stays keeps its id. Two round trips. */
export const updateBundle = (db: StoreDb, id: number, { items, ...changes }: BundleChanges) =>
  untilFresh(async () => {
    const [found, known] = await db.batch([db.selectOne(bundles, id), skusOf(db, items)]);
    if (!found[0]) return undefined;
    refuseUnknown(items, known);
    refuseUnlessPriced({ ...found[0], ...changes });
    const isOfKit = eq(bundleItems.bundle_id, id);
    const kept = idList(items.map(({ sku_id }) => sku_id));
    const rows = await db.batch([
      db.change(bundles, eq(bundles.id, id), changes),
      db.must(isPriced(id)),
      touch(db, bundles, and(eq(bundles.id, id), itemsDiffer(id, items))),
      db.removal(bundleItems, and(isOfKit, notInArray(bundleItems.sku_id, kept))),
      insertionBelow(db, itemsOf, id, listed(items), 'sku_id'),
      db.selectOne(bundles, id, withItems),
    ]);
    return rows[5].map((row) => present(db.store, row))[0];
  });

/** The body holds at least one item. */
const listed = (items: Items) => items as [Items[number], ...Items];

const skusOf = (db: StoreDb, items: Items) =>
  db.select(skus, { where: inArray(skus.id, idList(items.map(({ sku_id }) => sku_id))) });

function refuseUnknown(items: Items, known: readonly { id: number }[]) {
  const ids = new Set(known.map(({ id }) => id));
  const errors = items.flatMap(({ sku_id }, index) =>
    ids.has(sku_id)
      ? []
      : [[`items.${index}.sku_id`, ['No such SKU in this store.']] as [string, string[]]],
  );
  if (errors.length > 0) throw notFound(Object.fromEntries(errors));
}

function refuseUnlessPriced({ shipping_type, shipping_price }: Shipping) {
  if (shipping_type === 'fixed' && shipping_price === null) {
    throw new InvalidBody({ shipping_price: ['Required when shipping_type is fixed.'] });
  }
}

/** As {@link refuseUnlessPriced}, of what is stored: somebody else may have changed the other half meanwhile. */
const isPriced = (id: number) =>
  sql`not exists (select 1 from ${bundles} where ${bundles.id} = ${id}
    and ${bundles.shipping_type} = 'fixed' and ${bundles.shipping_price} is null)`;

/** Whether a kit has other items than these. */
function itemsDiffer(id: number, items: Items) {
  const { bundle_id, sku_id, quantity, price_type, price, discount } = bundleItems;
  const of = sql`from ${bundleItems} where ${bundle_id} = ${id}`;
  return sql`((select count(*) ${of}) <> ${items.length} or exists (
    select 1 from json_each(${JSON.stringify(items)}) where not exists (select 1 ${of}
      and ${sku_id} = value ->> '$.sku_id' and ${quantity} = value ->> '$.quantity'
      and ${price_type} = value ->> '$.price_type' and ${price} is (value ->> '$.price')
      and ${discount} = value ->> '$.discount')))`;
}
