import { eq } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { atRevision, differ, nextRevision } from '../../db/revision.ts';
import { brands, products } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { InvalidBody } from '../../problem.ts';
import { productEvent } from './events.ts';
import { present, relations } from '../shapes/product-reading.ts';
import type { ProductChanges } from './requests.ts';

/** Changes a product and tells of it if anything became different. One round trip, two with a change. */
export const updateProduct = (db: StoreDb, id: number, changes: ProductChanges) =>
  untilFresh(async () => {
    const [found, brandRows] = await db.batch([
      db.selectOne(products, id, relations),
      db.select(brands, { where: eq(brands.id, changes.brand_id ?? 0) }),
    ]);
    const before = found[0];
    if (!before) return undefined;
    if (changes.brand_id && !brandRows[0]) {
      throw new InvalidBody({ brand_id: ['No such brand in this store.'] });
    }
    const after = { ...before, ...changes };
    if (changes.brand_id !== undefined) after.brand = { data: brandRows[0] ?? null };
    if (!differ(before, changes)) {
      const { skus: _skus, brand: _brand, ...row } = before;
      return present(db.store, row);
    }
    after.updated_at = db.now;
    const [rows] = await publish(
      db,
      [db.change(products, atRevision(before), changes, nextRevision), db.mustHaveChanged()],
      [productEvent(db, 'product.updated', after)],
    );
    return rows.map((row) => present(db.store, row))[0];
  });

/** Removes a product with its SKUs and stock; the event carries how it was last. Two round trips. */
export const deleteProduct = (db: StoreDb, id: number) =>
  untilFresh(async () => {
    const before = await db.find(products, id, relations);
    if (!before) return undefined;
    await publish(
      db,
      [db.removal(products, atRevision(before)), db.mustHaveChanged()],
      [productEvent(db, 'product.deleted', before)],
    );
    return {};
  });
