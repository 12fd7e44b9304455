import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { categoriesOfProduct } from '../../data/queries/catalog-links.ts';
import { linkStatement } from '../../data/queries/links.ts';
import { type brands, products } from '../../data/schema/store/catalog-tables.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import { insertSkuStatements, toStoredSku } from '../skus/new-skus.ts';
import { toProductEvent } from './events.ts';
import { mergeImages, replaceImagesStatements } from './images.ts';
import type { NewProduct } from './requests.ts';

/** Columns that no request sets. */
const serverColumns = { seller_id: null, affiliation_id: null, rating: 0, relevance: null };

/** The number of ids that a new product needs: its own, and those of its SKUs and images. */
export const countNewIds = ({ skus, images }: Pick<NewProduct, 'skus' | 'images'>) =>
  1 + skus.length + images.length;

/** Records that a new product needs besides its body; all of them were checked. */
interface CreationFacts {
  slug: string;
  brand: Row<typeof brands> | undefined;
  categories: readonly CategoryRecord[];
  /** The last of the ids that were reserved for it ({@link countNewIds}). */
  lastId: number;
}

/** The first of the ids that are reserved for a new product, which becomes its own. */
export const newProductId = (body: Pick<NewProduct, 'skus' | 'images'>, lastId: number) =>
  lastId - countNewIds(body) + 1;

/** Plans a new product with its SKUs and their stock. The first statement returns the row of the product. */
export function planCreation(db: StoreDb, body: NewProduct, facts: CreationFacts) {
  const { skus: newSkus, slug: _, categories_ids, images: sentImages, ...values } = body;
  const id = newProductId(body, facts.lastId);
  const columns = { ...values, slug: facts.slug, ...serverColumns };
  const reservedSkus = newSkus.map((sku, index) => ({ id: id + 1 + index, sku }));
  const images = mergeImages(sentImages, [], facts.lastId);
  const event = toProductEvent(db, 'product.created', {
    ...columns,
    ...baseColumns(db, id),
    name_folded: '',
    sku_folded: null,
    revision: 1,
    brand: { data: facts.brand ?? null },
    categories: { data: [...facts.categories] },
    skus: { data: reservedSkus.map((sku) => toStoredSku(db, id, sku)) },
    images: { data: images },
  });
  const statements = [
    db.insertStatement(products, columns, id),
    ...reservedSkus.flatMap((sku) => insertSkuStatements(db, id, sku)),
    ...(categories_ids.length > 0
      ? [linkStatement(db, categoriesOfProduct, id, categories_ids)]
      : []),
    ...(images.length > 0 ? replaceImagesStatements(db, id, images) : []),
  ] as const;
  return { statements, event };
}
