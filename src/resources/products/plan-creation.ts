import { categoriesOfProduct } from '../../db/catalog/links.ts';
import { baseColumns } from '../../db/core/reserved-ids.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import type { Row } from '../../db/core/table.ts';
import { linkStatement } from '../../db/query/links.ts';
import { type brands, products } from '../../db/schema/store/catalog.ts';
import type { CategoryRecord } from '../../schemas/catalog/category.ts';
import { toProductEvent } from './events.ts';
import { mergeImages, replaceImagesStatements } from './images.ts';
import type { NewProduct } from './requests.ts';
import { insertSkuStatements, toStoredSku } from './skus/new-skus.ts';

/** Columns that no request sets. */
const serverColumns = { seller_id: null, affiliation_id: null, rating: 0, relevance: null };

/** How many ids a new product needs: its own, and those of its SKUs and images. */
export const countNewIds = ({ skus, images }: Pick<NewProduct, 'skus' | 'images'>) =>
  1 + skus.length + images.length;

/** What a new product needs besides its body; all of it was checked. */
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
