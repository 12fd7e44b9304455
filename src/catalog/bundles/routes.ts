import { and, eq, notInArray, sql } from 'drizzle-orm';
import * as z from 'zod';
import { arrayOf, uniqueBy } from '../../base/codecs/fields/arrays-and-objects.ts';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { recordId, idOutput } from '../../base/codecs/fields/ids.ts';
import { orNull } from '../../base/codecs/fields/nullable.ts';
import {
  bool,
  money,
  int,
  percent,
  boolOutput,
  moneyOutput,
} from '../../base/codecs/fields/scalars.ts';
import { url } from '../../base/codecs/fields/string-formats.ts';
import { line, choice } from '../../base/codecs/fields/text.ts';
import { listing } from '../../base/codecs/listing/listing.ts';
import { explainEnum, explain, explainBodies, explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { ValidationError, unknownReference } from '../../base/errors.ts';
import { retryOnConflict, retryInTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import { insertChildrenStatement } from '../../data/queries/child-rows.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { toMany } from '../../data/queries/relations.ts';
import { touchStatement } from '../../data/queries/revision.ts';
import { skus } from '../../data/schema/store/catalog-tables.ts';
import { bundles, bundleItems } from '../../data/schema/store/product-extras-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { bareRecord, emptyObject, page } from '../../http/replies.ts';

const BundleItemSchema = z
  .object({
    id: idOutput,
    bundle_id: z.int(),
    sku_id: z.int(),
    quantity: z.int(),
    price_type: z.enum(['sku', 'fixed', 'discount']),
    price: moneyOutput.nullable(),
    discount: z.number(),
    ...recordTimes,
  })
  .meta({ id: 'BundleItem' });

/* @__PURE__ */ explain(BundleItemSchema, 'One SKU of a kit, with its share of the price.', {
  bundle_id: 'Kit that the item is part of.',
  sku_id: 'SKU that is sold with the kit; deleting the SKU takes it out of its kits.',
  quantity: 'Units of the SKU in one kit.',
  price_type:
    'What a unit costs in the kit: sku its own price, fixed the price given here, discount its own price less discount.',
  price: 'Price of a unit when price_type is fixed, in the currency of the store; else unused.',
  discount: 'Per cent off the price of the SKU when price_type is discount.',
});

/** One kit. Its name in the specification is `Bundles`. */
const BundlesSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    image_url: z.string(),
    active: boolOutput,
    modifiable: boolOutput,
    custom_shipping: boolOutput,
    shipping_type: z.enum(['default', 'fixed', 'free']),
    shipping_price: moneyOutput.nullable(),
    shipping_days: z.int().nullable(),
    purchase_url: z.string(),
    items: z.object({ data: z.array(BundleItemSchema) }),
    ...recordTimes,
  })
  .meta({ id: 'Bundles' });

/* @__PURE__ */ explain(BundlesSchema, 'A kit: several SKUs that are bought together.', {
  name: 'What buyers read; need not be unique.',
  image_url: 'Address of the picture of the kit, which you host.',
  active: 'Whether the kit is on sale; becomes false when its last SKU is deleted.',
  modifiable: 'Whether buyers may change the quantities of the items.',
  custom_shipping:
    'Whether shipping_type, shipping_price and shipping_days replace the usual shipping.',
  shipping_type:
    'With custom_shipping: default is the usual price, fixed is shipping_price, free costs nothing.',
  shipping_price:
    'What shipping one kit costs when shipping_type is fixed, in the currency of the store.',
  shipping_days: 'Days until delivery with custom_shipping; null leaves it to the carrier.',
  purchase_url: 'Page of the shop that sells the kit, made from the id.',
  items: 'SKUs of the kit, 1 to 100, by id; always part of the response.',
});

/** The items of a kit: at most 100, as many as a relation can hold. */
const bundleRelations = {
  items: toMany(bundleItems, eq(bundleItems.bundle_id, bundles.id)),
};

const serializeBundle = <B extends { id: number }>(store: Store, bundle: B) => ({
  ...bundle,
  purchase_url: `${store.base_url}/bundles/${bundle.id}`,
});

/** PUT replaces all items, so it reads an item like POST. */
const item = requestBodies({
  required: { sku_id: recordId(), quantity: int(1, 10_000) },
  optional: {
    price_type: [choice(['sku', 'fixed', 'discount']), 'sku'],
    price: [orNull(money), null],
    discount: [percent(), 0],
  },
}).post;

/* @__PURE__ */ explainBody(item, BundleItemSchema, {
  BundleItemInput: 'A SKU of a kit, as bodies name it.',
});

const items = arrayOf(item, { min: 1, max: 100 })
  .superRefine(uniqueBy(({ sku_id }) => sku_id, 'sku_id'))
  .superRefine((items, context) => {
    for (const [index, { price_type, price }] of items.entries()) {
      if (price_type === 'fixed' && price === null) {
        const message = 'Required when price_type is fixed.';
        context.addIssue({ code: 'custom', path: [index, 'price'], message });
      }
    }
  });

export const BundlesRequest = requestBodies({
  required: { name: line(255), image_url: url(), items },
  optional: {
    active: [bool, true],
    modifiable: [bool, false],
    custom_shipping: [bool, false],
    shipping_type: [choice(['default', 'fixed', 'free']), 'default'],
    shipping_price: [orNull(money), null],
    shipping_days: [orNull(int(0, 365)), null],
  },
});

/* @__PURE__ */ explainBodies(BundlesRequest, BundlesSchema, {
  BundleInput: 'A new kit, with the SKUs that it consists of.',
  BundlePatch: 'The fields of a kit to change; items replaces all of them.',
});

type NewBundle = z.output<typeof BundlesRequest.post>;
type BundleChanges = z.output<typeof BundlesRequest.put>;

type Items = NewBundle['items'];
type Shipping = Pick<NewBundle, 'shipping_type' | 'shipping_price'>;

const itemsOf = { table: bundleItems, parent: bundles, parentColumn: 'bundle_id' } as const;

/** Creates a kit with its items. Two round trips. */
export const createBundle = (db: StoreDb, { items, ...values }: NewBundle) =>
  retryOnConflict(async () => {
    const [known] = await db.batch([selectSkusOf(db, items)]);
    assertSkusExist(items, known);
    assertShippingPriced(values);
    const newId = db.lastInsertedId(bundles);
    const [, , rows] = await db.batch([
      db.insertStatement(bundles, values),
      insertChildrenStatement(db, itemsOf, newId, nonEmpty(items)),
      db.select(bundles, { where: eq(bundles.id, newId), extras: bundleRelations }),
    ]);
    return rows.map((row) => serializeBundle(db.store, row))[0];
  });

/**
 * Updates a kit and replaces its items; the item of a SKU that stays keeps its id. Two round trips.
 */
const updateBundle = (db: StoreDb, id: number, { items, ...changes }: BundleChanges) =>
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
  db.select(skus, { ids: idsSubquery(items.map(({ sku_id }) => sku_id)) });

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

/**
 * {@link assertShippingPriced} as SQL, since a concurrent request may change the other of the two
 * fields.
 */
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

const bundleList = listing({
  sort: ['name', 'active'],
  search: { name: 'text', active: 'bool' },
});

export const bundleOperations = [
  operation({
    id: 'listBundles',
    route: 'GET /{alias}/catalog/bundles',
    access: 'catalog.read',
    query: bundleList,
    hasListTag: true,
    reply: page(BundlesSchema),
    errors: [400],
    run: async ({ db, query }) => {
      const found = await db.page(bundles, query, { extras: bundleRelations });
      return { ...found, rows: found.rows.map((row) => serializeBundle(db.store, row)) };
    },
  }),
  operation({
    id: 'createBundle',
    route: 'POST /{alias}/catalog/bundles',
    access: 'catalog.write',
    body: BundlesRequest.post,
    reply: bareRecord(BundlesSchema),
    errors: [400, 404, 422],
    run: ({ db, body }) => createBundle(db, body),
  }),
  operation({
    id: 'showBundle',
    route: 'GET /{alias}/catalog/bundles/{id}',
    access: 'catalog.read',
    reply: bareRecord(BundlesSchema),
    errors: [400, 404],
    run: async ({ db, ids }) => {
      const found = await db.find(bundles, ids.id, bundleRelations);
      return found && serializeBundle(db.store, found);
    },
  }),
  operation({
    id: 'updateBundle',
    route: 'PUT /{alias}/catalog/bundles/{id}',
    access: 'catalog.write',
    body: BundlesRequest.put,
    reply: bareRecord(BundlesSchema),
    errors: [400, 404, 422],
    run: ({ db, ids, body }) => updateBundle(db, ids.id, body),
  }),
  operation({
    id: 'deleteBundle',
    route: 'DELETE /{alias}/catalog/bundles/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [400, 404],
    run: ({ db, ids }) => db.remove(bundles, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  createBundle:
    'A kit has 1 to 100 items, and each SKU at most once. An unknown SKU returns 404 with its field in errors.',
  updateBundle:
    'Items are replaced as a whole; the item of a SKU that stays keeps its id. Deleting a SKU removes it from its kits, and a kit without items becomes inactive.',
});

/* @__PURE__ */ explainEnum('BundlePriceType', 'What a unit of a SKU costs inside a kit.', {
  sku: 'The price of the SKU.',
  fixed: 'The price of the item.',
  discount: 'The price of the SKU less discount per cent.',
});

/* @__PURE__ */ explainEnum(
  'BundleShippingType',
  'What the shipping of a kit costs, if custom_shipping is true.',
  {
    default: 'What the shop charges for any product.',
    fixed: 'shipping_price.',
    free: 'Nothing.',
  },
);
