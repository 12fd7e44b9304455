import { and, inArray, notInArray, sql } from 'drizzle-orm';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { insertRowsStatements } from '../../data/queries/bulk-rows.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { hasChanges } from '../../data/queries/revision.ts';
import { productImages, products } from '../../data/schema/store/catalog-tables.ts';
import type { NewProduct } from './requests.ts';

type NewImages = NewProduct['images'];

interface Image {
  id: number;
  position: number;
  url: string;
  alt: string | null;
}

/**
 * Reserves an id for each url that the product does not have yet; none if the store has no such
 * product.
 */
export function reserveImageIds(db: StoreDb, productId: number, sent: NewImages) {
  const urls = JSON.stringify(sent.map(({ url }) => url));
  const currentUrls = sql`select ${productImages.url} from ${productImages} where ${productImages.product_id} = ${productId}`;
  return reserveIds(
    db,
    sql`(select count(*) from ${products} cross join json_each(${urls}) sent
      where ${products.id} = ${productId} and ${products.store_id} = ${db.store.id} and sent.value not in (${currentUrls}))`,
  );
}

/**
 * The images after a change. An image whose url stays keeps its id; new ones take the ids that end
 * in `lastId`.
 */
export function mergeImages(sent: NewImages, before: readonly Image[], lastId = 0): Image[] {
  const idsByUrl = new Map(before.map(({ url, id }) => [url, id]));
  let nextId = lastId + 1 - sent.filter(({ url }) => !idsByUrl.has(url)).length;
  return sent.map(({ url, alt }, index) => ({
    id: idsByUrl.get(url) ?? nextId++,
    position: index + 1,
    url,
    alt,
  }));
}

/** Also true for another order or other texts. */
export const haveImagesChanged = (before: readonly Image[], after: readonly Image[]) =>
  hasChanges({ images: before.map(pickFields) }, { images: after.map(pickFields) });

const pickFields = ({ id, position, url, alt }: Image) => ({ id, position, url, alt });

interface WithImages {
  id: number;
  images: readonly Image[];
}

/** Replaces the images of products, in two statements; those of `created` have none. */
export function replaceImagesStatements(
  db: StoreDb,
  updated: readonly WithImages[],
  created: readonly WithImages[],
) {
  const rows = [...created, ...updated].flatMap(({ id: product_id, images }) =>
    images.map(({ id, position, url, alt }) => ({
      id,
      values: { product_id, position, url, alt },
    })),
  );
  const isRemoved = () =>
    and(
      inArray(productImages.product_id, idsSubquery(updated.map(({ id }) => id))),
      notInArray(productImages.id, idsSubquery(rows.map(({ id }) => id))),
    );
  return [
    ...(updated.length > 0 ? [db.deleteStatement(productImages, isRemoved())] : []),
    ...insertRowsStatements(db, productImages, rows, ['product_id', 'url']),
  ];
}
