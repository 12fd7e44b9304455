import { and, eq, inArray, sql } from 'drizzle-orm';
import { retryInTurns } from '../../db/contention/retry.ts';
import { lastResult } from '../../db/core/statement.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import {
  idsSubquery,
  linksDiffer,
  lastInsertedId,
  replaceLinksStatements,
} from '../../db/query/links.ts';
import { throwIfInvalid } from '../../db/query/references.ts';
import { touchStatement } from '../../db/query/revision.ts';
import { products } from '../../db/schema/store/catalog.ts';
import { customizations } from '../../db/schema/store/product-extras.ts';
import {
  selectCustomizationExtras,
  productsOfCustomization,
  serializeCustomization,
} from '../../schemas/catalog/customization.ts';
import type { CustomizationChanges, NewCustomization } from './requests.ts';

/** Creates a customization. One round trip, two if it has products. */
export async function createCustomization(db: StoreDb, body: NewCustomization) {
  const { products_ids: ids, ...values } = body;
  const found = ids.length > 0 ? (await db.batch([countProducts(db, ids)]))[0] : [];
  assertValidCustomization(values, ids, found);
  const newId = lastInsertedId(db, customizations);
  const results = await db.batch([
    db.insertStatement(customizations, { ...values, values: storedValues(values) }),
    ...(ids.length > 0 ? replaceLinksStatements(db, productsOfCustomization, newId, ids) : []),
    db.select(customizations, {
      where: eq(customizations.id, newId),
      extras: selectCustomizationExtras(),
    }),
  ]);
  return lastResult(results).map((row) => serializeCustomization(db.store, row))[0];
}

/** Updates a customization. One round trip, two if it must read values or products first. */
export const updateCustomization = (db: StoreDb, id: number, body: CustomizationChanges) =>
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

/** SQL condition: not a `select` without values, which a concurrent request may have made of it. */
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
  ...replaceLinksStatements(db, productsOfCustomization, id, ids),
];
