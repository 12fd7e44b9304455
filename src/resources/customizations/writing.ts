import { and, eq, inArray, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { idList, linksDiffer, newestOf, relinking } from '../../db/links.ts';
import { refuseIf } from '../../db/references.ts';
import { customizations, products } from '../../db/schema/store.ts';
import { lastOf } from '../../db/statement.ts';
import type { StoreDb } from '../../db/store.ts';
import { touch } from '../../db/touch.ts';
import { included, offers, present } from './reading.ts';
import type { CustomizationChanges, NewCustomization } from './request.ts';

/** Adds a customization. One round trip, two when it names products. */
export async function createCustomization(db: StoreDb, body: NewCustomization) {
  const { products_ids: ids, ...values } = body;
  const known = ids.length > 0 ? (await db.batch([countProducts(db, ids)]))[0] : [];
  refuseUnlessRight(values, ids, known);
  const newest = newestOf(db, customizations);
  const results = await db.batch([
    db.insertion(customizations, { ...values, values: valuesOf(values) }),
    ...(ids.length > 0 ? relinking(db, offers, newest, ids) : []),
    db.select(customizations, { where: eq(customizations.id, newest), extras: included() }),
  ]);
  return lastOf(results).map((row) => present(db.store, row))[0];
}

/** Changes a customization. One round trip, two when something must be looked up first. */
export const updateCustomization = (db: StoreDb, id: number, body: CustomizationChanges) =>
  untilFresh(async () => {
    const { products_ids: ids, ...sent } = body;
    const keepsValues = sent.type === 'select' && sent.values === undefined;
    if (keepsValues || (ids && ids.length > 0)) {
      const [found, known] = await db.batch([
        db.selectOne(customizations, id),
        countProducts(db, ids ?? []),
      ]);
      if (!found[0]) return undefined;
      refuseUnlessRight({ ...found[0], ...sent }, ids ?? [], known);
    } else refuseUnlessRight({ values: [], ...sent }, [], []);
    const changes = keepsValues ? sent : { ...sent, values: valuesOf({ values: [], ...sent }) };
    const results = await db.batch([
      db.change(customizations, eq(customizations.id, id), changes),
      db.must(valued(id)),
      ...(ids ? relinked(db, id, ids) : []),
      db.selectOne(customizations, id, included()),
    ]);
    return lastOf(results).map((row) => present(db.store, row))[0];
  });

/** Values belong to a selection; without one there is nothing to select from. */
const valuesOf = ({ type, values }: Pick<NewCustomization, 'type' | 'values'>) =>
  type === 'select' ? values : [];

function refuseUnlessRight(
  { type, values }: Pick<NewCustomization, 'type' | 'values'>,
  ids: readonly number[],
  known: readonly { total: number }[],
) {
  const errors = {
    ...(type === 'select' &&
      values.length === 0 && { values: ['Must hold at least one value when type is select.'] }),
    ...((known[0]?.total ?? 0) < ids.length && {
      products_ids: ['Must be ids of products of this store.'],
    }),
  };
  refuseIf(errors);
}

const countProducts = (db: StoreDb, ids: readonly number[]) =>
  db.count(products, inArray(products.id, idList(ids)));

/** Not a selection without values, which somebody else may have made of it since it was read. */
const valued = (id: number) => {
  const { id: key, type, values } = customizations;
  return sql`not exists (select 1 from ${customizations} where ${key} = ${id} and ${type} = 'select' and ${values} = '[]')`;
};

/** Other products are a change of the customization, so they move its `updated_at`. */
const relinked = (db: StoreDb, id: number, ids: readonly number[]) => [
  touch(db, customizations, and(eq(customizations.id, id), linksDiffer(offers, id, ids))),
  ...relinking(db, offers, id, ids),
];
