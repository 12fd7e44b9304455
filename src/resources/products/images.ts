import { and, eq, notInArray, sql } from 'drizzle-orm';
import { insertionBelow } from '../../db/children.ts';
import { idList } from '../../db/links.ts';
import { differ } from '../../db/revision.ts';
import { productImages, products } from '../../db/schema/store.ts';
import { reservation } from '../../db/sequences.ts';
import type { StoreDb } from '../../db/store.ts';
import type { NewProduct } from './requests.ts';

type Sent = NewProduct['images'];

interface Image {
  id: number;
  position: number;
  url: string;
  alt: string | null;
}

const imagesOf = { table: productImages, parent: products, by: 'product_id' } as const;

/** Takes an id for each address of which a product has no image yet; takes none if there is no product. */
export function newImageIds(db: StoreDb, product: number, sent: Sent) {
  const urls = JSON.stringify(sent.map(({ url }) => url));
  const own = sql`select ${productImages.url} from ${productImages} where ${productImages.product_id} = ${product}`;
  return reservation(
    db,
    'product_images',
    sql`(select count(*) from ${products} cross join json_each(${urls}) sent
      where ${products.id} = ${product} and ${products.store_id} = ${db.store.id} and sent.value not in (${own}))`,
  );
}

/** The images as they will be. One whose address stays keeps its id; the new ones have the last reserved ids. */
export function imagesAfter(sent: Sent, before: readonly Image[], last = 0): Image[] {
  const known = new Map(before.map(({ url, id }) => [url, id]));
  let taken = last - sent.filter(({ url }) => !known.has(url)).length;
  return sent.map(({ url, alt }, index) => ({
    id: known.get(url) ?? (taken += 1),
    position: index + 1,
    url,
    alt,
  }));
}

/** Whether these are other images, or the same in another order or with other texts. */
export const imagesDiffer = (before: readonly Image[], after: readonly Image[]) =>
  differ({ images: before.map(plain) }, { images: after.map(plain) });

const plain = ({ id, position, url, alt }: Image) => ({ id, position, url, alt });

/** The statements that make these the images of a product and no others. */
export function replacingImages(db: StoreDb, product: number, images: readonly Image[]) {
  const [first, ...others] = images;
  const kept = idList(images.map(({ id }) => id));
  const isGone = and(eq(productImages.product_id, product), notInArray(productImages.id, kept));
  return [
    db.removal(productImages, isGone),
    ...(first ? [insertionBelow(db, imagesOf, product, [first, ...others], 'url')] : []),
  ];
}
