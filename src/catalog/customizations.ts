import { and, eq, inArray, sql } from 'drizzle-orm';
import * as z from 'zod';
import { arrayOf, uniqueBy } from '../base/codecs/fields/arrays-and-objects.ts';
import { recordTimes } from '../base/codecs/fields/date-time.ts';
import { ids, idOutput } from '../base/codecs/fields/ids.ts';
import { orNull } from '../base/codecs/fields/nullable.ts';
import { bool, money, int, boolOutput, moneyOutput } from '../base/codecs/fields/scalars.ts';
import { line, text, choice } from '../base/codecs/fields/text.ts';
import { listing, recordQuery } from '../base/codecs/listing/listing.ts';
import { explainEnum, explain, explainBodies } from '../base/codecs/meaning.ts';
import { requestBodies } from '../base/codecs/request-bodies.ts';
import { retryInTurns } from '../data/core/retry-contention.ts';
import { lastResult } from '../data/core/statement.ts';
import type { StoreDb } from '../data/core/store-db.ts';
import type { Row } from '../data/core/store-table.ts';
import type { Store } from '../data/core/store.ts';
import {
  idsSubquery,
  linksDiffer,
  linkStatement,
  replaceLinksStatements,
  linkedIds,
  isLinkedTo,
  type Link,
} from '../data/queries/links.ts';
import { throwIfInvalid } from '../data/queries/references.ts';
import { toMany } from '../data/queries/relations.ts';
import { touchStatement } from '../data/queries/revision.ts';
import { products } from '../data/schema/store/catalog-tables.ts';
import {
  customizations,
  customizationProducts,
} from '../data/schema/store/product-extras-tables.ts';
import { explainOperations, operation } from '../http/operation.ts';
import { bareRecord, emptyObject, page } from '../http/replies.ts';
import { ProductSchema, serializeProduct } from './products/schema.ts';

/** The response of POST and PUT. */
const CustomizationSchema = z
  .object({
    id: idOutput,
    name: z.string(),
    price: moneyOutput,
    description: z.string().nullable(),
    type: z.enum(['text', 'textarea', 'select']),
    required: boolOutput,
    max_chars: z.int(),
    products_ids: z.array(z.int()),
    values: z.array(z.string()),
    allowed_values: z.string(),
  })
  .meta({ id: 'Customization' });

const customizationMeanings = {
  name: 'What buyers read beside the field.',
  price: 'What the choice adds to the price of the product, in the currency of the store.',
  description: 'Help for buyers, as plain text.',
  type: 'How buyers fill it in: a line of text, a textarea of several lines, or a select from values.',
  required: 'Whether the product can be ordered only with this choice.',
  max_chars: 'Most characters that a buyer may type; 0 sets no limit.',
  products_ids: 'Products that offer the choice, as ids; sent as a whole.',
  values: 'What buyers can choose from when type is select; empty for other types.',
  allowed_values: 'The same values joined by commas, for older clients.',
};

/* @__PURE__ */ explain(
  CustomizationSchema,
  'A choice that buyers make when they order a product, such as an engraving.',
  customizationMeanings,
);

/** The response of GET: merged with `CustomizationAdditionalResponse` of the specification. */
const CustomizationReadSchema = z
  .object({
    ...CustomizationSchema.shape,
    ...recordTimes,
    products: z.object({ data: z.array(ProductSchema) }).optional(),
  })
  .meta({ id: 'CustomizationRead' });

/* @__PURE__ */ explain(
  CustomizationReadSchema,
  'A customization as lists and single reads return it.',
  customizationMeanings,
  { products: 'Up to 100 products that offer the choice; with include=products.' },
);

/** The products that offer a customization. */
const productsOfCustomization = {
  table: customizationProducts,
  owner: customizations,
  ownerId: customizationProducts.customization_id,
  linked: products,
  linkedId: customizationProducts.product_id,
} satisfies Link;

const idsOnly = { products_ids: linkedIds(productsOfCustomization, customizations) };
const withProducts = {
  ...idsOnly,
  products: toMany(products, isLinkedTo(productsOfCustomization, customizations.id)),
};

/** The product ids, and the products when `include` names them. */
const selectCustomizationExtras = (
  includes: readonly string[] = [],
): typeof idsOnly & Partial<typeof withProducts> =>
  includes.includes('products') ? withProducts : idsOnly;

function serializeCustomization<
  C extends Pick<Row<typeof customizations>, 'values'> & {
    products?: { data: Row<typeof products>[] };
  },
>(store: Store, customization: C) {
  const { products: related, ...row } = customization;
  return {
    ...row,
    allowed_values: customization.values.join(','),
    ...(related && {
      products: { data: related.data.map((product) => serializeProduct(store, product)) },
    }),
  };
}

const values = arrayOf(line(100), { max: 100 }).superRefine(uniqueBy((value) => value));

export const CustomizationRequest = requestBodies({
  required: {
    name: line(255),
    price: money,
    type: choice(['text', 'textarea', 'select']),
    required: bool,
    max_chars: int(0, 10_000),
  },
  optional: {
    description: [orNull(text(1000)), null],
    values: [values, []],
    products_ids: [ids(), []],
  },
});

/* @__PURE__ */ explainBodies(CustomizationRequest, CustomizationSchema, {
  CustomizationInput: 'A new choice that buyers make when they order a product.',
  CustomizationPatch: 'The fields of such a choice to change.',
});

type NewCustomization = z.output<typeof CustomizationRequest.post>;
type CustomizationChanges = z.output<typeof CustomizationRequest.put>;

/** Creates a customization. One round trip, two if it has products. */
export async function createCustomization(db: StoreDb, body: NewCustomization) {
  const { products_ids: ids, ...values } = body;
  const found = ids.length > 0 ? (await db.batch([countProducts(db, ids)]))[0] : [];
  assertValidCustomization(values, ids, found);
  const newId = db.lastInsertedId(customizations);
  const results = await db.batch([
    db.insertStatement(customizations, { ...values, values: storedValues(values) }),
    ...(ids.length > 0 ? [linkStatement(db, productsOfCustomization, newId, ids)] : []),
    db.select(customizations, {
      where: eq(customizations.id, newId),
      extras: selectCustomizationExtras(),
    }),
  ]);
  return lastResult(results).map((row) => serializeCustomization(db.store, row))[0];
}

/** Updates a customization. One round trip, two if it must read values or products first. */
const updateCustomization = (db: StoreDb, id: number, body: CustomizationChanges) =>
  retryInTurns(db, [customizations, id], async () => {
    const { products_ids: ids, ...sent } = body;
    const keepsValues = sent.type === 'select' && sent.values === undefined;
    if (keepsValues || (ids && ids.length > 0)) {
      const [found, productCount] = await db.batch([
        db.selectOne(customizations, id),
        countProducts(db, ids ?? []),
      ]);
      if (!found[0]) return undefined;
      assertValidCustomization({ ...found[0], ...sent }, ids ?? [], productCount);
    } else assertValidCustomization({ values: [], ...sent }, [], []);
    const changes = keepsValues ? sent : { ...sent, values: storedValues({ values: [], ...sent }) };
    const results = await db.batch([
      db.updateStatement(customizations, eq(customizations.id, id), changes),
      db.assert(hasRequiredValues(id)),
      ...(ids ? replaceProductsStatements(db, id, ids) : []),
      db.selectOne(customizations, id, selectCustomizationExtras()),
    ]);
    return lastResult(results).map((row) => serializeCustomization(db.store, row))[0];
  });

/** Only the type `select` has values. */
const storedValues = ({ type, values }: Pick<NewCustomization, 'type' | 'values'>) =>
  type === 'select' ? values : [];

function assertValidCustomization(
  { type, values }: Pick<NewCustomization, 'type' | 'values'>,
  ids: readonly number[],
  found: readonly { total: number }[],
) {
  const errors = {
    ...(type === 'select' &&
      values.length === 0 && { values: ['Must contain at least one value when type is select.'] }),
    ...((found[0]?.total ?? 0) < ids.length && {
      products_ids: ['Must be ids of products of this store.'],
    }),
  };
  throwIfInvalid(errors);
}

const countProducts = (db: StoreDb, ids: readonly number[]) =>
  db.countStatement(products, inArray(products.id, idsSubquery(ids)));

/** SQL condition: not a `select` without values, which a concurrent request may have left. */
const hasRequiredValues = (id: number) => {
  const { id: key, type, values } = customizations;
  return sql`not exists (select 1 from ${customizations} where ${key} = ${id} and ${type} = 'select' and ${values} = '[]')`;
};

/** Replaces the products. Other products than before also move `updated_at`. */
const replaceProductsStatements = (db: StoreDb, id: number, ids: readonly number[]) => [
  touchStatement(
    db,
    customizations,
    and(eq(customizations.id, id), linksDiffer(productsOfCustomization, id, ids)),
  ),
  ...replaceLinksStatements(db, productsOfCustomization, [{ owner: id, ids }]),
];

const includes = ['products'] as const;

const customizationList = listing({
  sort: ['name', 'type', 'price', 'required'],
  search: { name: 'text', type: ['text', 'textarea', 'select'], required: 'bool' },
  includes,
});

export const customizationOperations = [
  operation({
    id: 'listCustomizations',
    route: 'GET /{alias}/catalog/customizations',
    access: 'catalog.read',
    query: customizationList,
    hasListTag: true,
    reply: page(CustomizationReadSchema, { emptyStatus: 404 }),
    errors: [404],
    run: async ({ db, query }) => {
      const found = await db.page(customizations, query, {
        extras: selectCustomizationExtras(query.includes),
      });
      return { ...found, rows: found.rows.map((row) => serializeCustomization(db.store, row)) };
    },
  }),
  operation({
    id: 'createCustomization',
    route: 'POST /{alias}/catalog/customizations',
    access: 'catalog.write',
    body: CustomizationRequest.post,
    reply: bareRecord(CustomizationSchema),
    errors: [400],
    run: ({ db, body }) => createCustomization(db, body),
  }),
  operation({
    id: 'showCustomization',
    route: 'GET /{alias}/catalog/customizations/{id}',
    access: 'catalog.read',
    query: recordQuery(includes),
    reply: bareRecord(CustomizationReadSchema),
    errors: [],
    run: async ({ db, ids, query }) => {
      const found = await db.find(
        customizations,
        ids.id,
        selectCustomizationExtras(query.includes),
      );
      return found && serializeCustomization(db.store, found);
    },
  }),
  operation({
    id: 'updateCustomization',
    route: 'PUT /{alias}/catalog/customizations/{id}',
    access: 'catalog.write',
    body: CustomizationRequest.put,
    reply: bareRecord(CustomizationSchema),
    errors: [400, 404],
    run: ({ db, ids, body }) => updateCustomization(db, ids.id, body),
  }),
  operation({
    id: 'deleteCustomization',
    route: 'DELETE /{alias}/catalog/customizations/{id}',
    access: 'catalog.write',
    reply: emptyObject(),
    errors: [404],
    run: ({ db, ids }) => db.remove(customizations, ids.id),
  }),
];

/* @__PURE__ */ explainOperations({
  listCustomizations:
    'A query without matches returns 404, whose body also has data and meta. A page after the last one returns 200.',
  createCustomization:
    'values applies to the type select, which needs at least one. For other types it is stored empty.',
});

/* @__PURE__ */ explainEnum('CustomizationType', 'How the buyer fills in a customization.', {
  text: 'One line of text.',
  textarea: 'Text of several lines.',
  select: 'One of the listed values.',
});
