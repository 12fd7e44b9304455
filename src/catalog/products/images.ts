import { and, eq, inArray, notInArray, sql } from 'drizzle-orm';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { insertRowsStatements } from '../../data/queries/bulk-rows.ts';
import { insertChildrenStatement } from '../../data/queries/child-rows.ts';
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

const imagesOf = { table: productImages, parent: products, parentColumn: 'product_id' } as const;

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

export function replaceImagesStatements(db: StoreDb, productId: number, images: readonly Image[]) {
  const [first, ...others] = images;
  const keptIds = idsSubquery(images.map(({ id }) => id));
  const isRemoved = and(
    eq(productImages.product_id, productId),
    notInArray(productImages.id, keptIds),
  );
  return [
    db.deleteStatement(productImages, isRemoved),
    ...(first ? [insertChildrenStatement(db, imagesOf, productId, [first, ...others], 'url')] : []),
  ];
}

/**
 * Replaces the images of any number of products, which were inserted or asserted before. `areNew`:
 * none has any.
 */
export function replaceAllImagesStatements(
  db: StoreDb,
  records: readonly { id: number; images: readonly Image[] }[],
  { areNew = false } = {},
) {
  if (records.length === 0) return [];
  const rows = records.flatMap(({ id: product_id, images }) =>
    images.map(({ id, position, url, alt }) => ({
      id,
      values: { product_id, position, url, alt },
    })),
  );
  const isRemoved = and(
    inArray(productImages.product_id, idsSubquery(records.map(({ id }) => id))),
    notInArray(productImages.id, idsSubquery(rows.map(({ id }) => id))),
  );
  return [
    ...(areNew ? [] : [db.deleteStatement(productImages, isRemoved)]),
    ...insertRowsStatements(db, productImages, rows, ['product_id', 'url']),
  ];
}
