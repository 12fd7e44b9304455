import { eq } from 'drizzle-orm';
import { categoriesOfProduct, linking } from '../../db/links.ts';
import { missing, refuseIf, unknownIds } from '../../db/references.ts';
import { untilFresh } from '../../db/fresh.ts';
import { brands, categories, products } from '../../db/schema/store.ts';
import { reservation } from '../../db/sequences.ts';
import { stamps } from '../../db/stamps.ts';
import type { StoreDb } from '../../db/store.ts';
import { publish } from '../../events/publish.ts';
import { categoriesNamed } from './categories-named.ts';
import { productEvent } from './events.ts';
import { freeSlugOf, renamed, slugBase, slugsLike } from '../../db/slugs.ts';
import { present } from '../shapes/product-reading.ts';
import { imagesAfter, replacingImages } from './images.ts';
import type { NewProduct } from './requests.ts';
import { skuInsertions, skusNamed, storedSku, takenSkus } from './sku-storage.ts';

/** What no request sets. */
const unset = { seller_id: null, affiliation_id: null, rating: 0, relevance: null };

/** Adds a product with its SKUs and their stock, and tells of it. Two round trips. */
export const createProduct = (db: StoreDb, body: NewProduct) =>
  untilFresh(async (tried) => {
    const { skus: newSkus, slug, categories_ids, images: sent, ...values } = body;
    const base = slug ?? slugBase(values.name, 'product');
    const [brandRows, named, missed, taken, highest, productIds, skuIds, imageIds] = await db.batch(
      [
        db.select(brands, { where: eq(brands.id, values.brand_id) }),
        categoriesNamed(db, categories_ids),
        missing(db, categories, categories_ids),
        skusNamed(db, newSkus),
        slugsLike(db, products, base),
        reservation(db, 'products', 1),
        reservation(db, 'skus', newSkus.length),
        reservation(db, 'product_images', sent.length),
      ],
    );
    const brand = brandRows[0];
    const errors = {
      ...(!brand && { brand_id: ['No such brand in this store.'] }),
      ...unknownIds('categories_ids', 'category', missed),
      ...takenSkus(newSkus, taken, 'skus.'),
    };
    refuseIf(errors);
    const id = productIds[0]?.last ?? 0;
    const lastSku = skuIds[0]?.last ?? 0;
    // Where many want the same name at once, the number that is only this product's ends the race.
    const made = freeSlugOf(base, highest[0]?.slug, tried, id);
    const complete = { ...values, slug: slug ?? made, ...unset };
    const stored = {
      ...complete,
      ...stamps(db, id),
      name_folded: '',
      sku_folded: null,
      revision: 1,
    };
    const variants = newSkus.map((sku, index) => ({
      id: lastSku - newSkus.length + 1 + index,
      sku,
    }));
    const images = imagesAfter(sent, [], imageIds[0]?.last);
    const event = productEvent(db, 'product.created', {
      ...stored,
      brand: { data: brand ?? null },
      categories: { data: named },
      skus: { data: variants.map((variant) => storedSku(db, id, variant)) },
      images: { data: images },
    });
    const [rows] = await renamed(slug === undefined, () =>
      publish(
        db,
        [
          db.insertion(products, complete, id),
          ...variants.flatMap((variant) => skuInsertions(db, id, variant)),
          linking(db, categoriesOfProduct, id, categories_ids),
          ...(images.length > 0 ? replacingImages(db, id, images) : []),
        ],
        [event],
      ),
    );
    return rows.map((row) => present(db.store, row))[0];
  });
