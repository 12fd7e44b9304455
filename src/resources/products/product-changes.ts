import { eq, sql } from 'drizzle-orm';
import { untilFresh } from '../../db/fresh.ts';
import { leaveKits } from '../../db/kits.ts';
import { categoriesOfProduct, linkedIds, relinking } from '../../db/links.ts';
import { missing, refuseIf, unknownIds } from '../../db/references.ts';
import { atRevision, differ, nextRevision } from '../../db/revision.ts';
import { brands, categories, products, skus } from '../../db/schema/store.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { present, relations } from '../shapes/product-reading.ts';
import { categoriesNamed } from './categories-named.ts';
import { productEvent } from './events.ts';
import { imagesAfter, imagesDiffer, newImageIds, replacingImages } from './images.ts';
import type { ProductChanges } from './requests.ts';

/** Changes a product and tells of it if anything became different. One round trip, two with a change. */
export const updateProduct = (db: StoreDb, id: number, body: ProductChanges) =>
  untilFresh(async () => {
    const { categories_ids: sent, images: pictures = [], ...changes } = body;
    const [found, brandRows, links, named, missed, imageIds] = await db.batch([
      db.selectOne(products, id, relations),
      db.select(brands, { where: eq(brands.id, changes.brand_id ?? 0) }),
      db.selectOne(products, id, { ids: linkedIds(categoriesOfProduct, products) }),
      categoriesNamed(db, sent ?? []),
      missing(db, categories, sent ?? []),
      newImageIds(db, id, pictures),
    ]);
    const before = found[0];
    if (!before) return undefined;
    refuseIf(
      changes.brand_id && !brandRows[0] ? { brand_id: ['No such brand in this store.'] } : {},
      unknownIds('categories_ids', 'category', missed),
    );
    const after = { ...before, ...changes };
    if (changes.brand_id !== undefined) after.brand = { data: brandRows[0] ?? null };
    const ids = sent?.toSorted((one, other) => one - other);
    const relinked = ids && differ({ ids: links[0]?.ids }, { ids }) ? ids : undefined;
    if (relinked) after.categories = { data: named };
    const images = imagesAfter(pictures, before.images.data, imageIds[0]?.last);
    const hasNewImages = body.images && imagesDiffer(before.images.data, images);
    if (!relinked && !hasNewImages && !differ(before, changes)) {
      const { skus: _s, brand: _b, categories: _c, images: _i, ...row } = before;
      return present(db.store, row);
    }
    after.updated_at = db.now;
    // A change that leaves every column as it is would count as none, although categories or images are others.
    const columns = differ(before, changes) ? changes : {};
    const [rows] = await publish(
      db,
      [
        db.change(products, atRevision(before), columns, nextRevision),
        db.mustHaveChanged(),
        ...(relinked ? relinking(db, categoriesOfProduct, id, relinked) : []),
        ...(hasNewImages ? replacingImages(db, id, images) : []),
      ],
      [
        productEvent(db, 'product.updated', {
          ...after,
          ...(hasNewImages && { images: { data: images } }),
        }),
      ],
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
      [
        ...leaveKits(db, skusOf(id)),
        db.removal(products, atRevision(before)),
        db.mustHaveChanged(),
      ],
      [productEvent(db, 'product.deleted', before)],
    );
    return {};
  });

const skusOf = (id: number) =>
  sql`(select ${skus.id} from ${skus} where ${skus.product_id} = ${id})`;
