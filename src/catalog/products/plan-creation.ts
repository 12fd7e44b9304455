import { baseColumns } from '../../data/core/reserved-ids.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { linkStatement } from '../../data/queries/links.ts';
import { type brands, products } from '../../data/schema/store/catalog-tables.ts';
import { categoriesOfProduct } from '../catalog-links.ts';
import type { CategoryRecord } from '../categories/schema.ts';
import { insertSkuStatements, toStoredSku } from '../skus/new-skus.ts';
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

/** A new product: what it writes, and the record as its event has it. */
export type PlannedCreation = ReturnType<typeof planCreation>;

/** Plans a new product with its SKUs and their stock. */
export function planCreation(db: StoreDb, body: NewProduct, facts: CreationFacts) {
  const { skus: newSkus, slug: _, categories_ids, images: sentImages, ...values } = body;
  const id = newProductId(body, facts.lastId);
  const columns = { ...values, slug: facts.slug, ...serverColumns };
  const skus = newSkus.map((sku, index) => ({ id: id + 1 + index, sku }));
  const images = mergeImages(sentImages, [], facts.lastId);
  const product = {
    ...columns,
    ...baseColumns(db, id),
    name_folded: '',
    sku_folded: null,
    revision: 1,
    brand: { data: facts.brand ?? null },
    categories: { data: [...facts.categories] },
    skus: { data: skus.map((sku) => toStoredSku(db, id, sku)) },
    images: { data: images },
  };
  return { id, columns, skus, categories_ids, images, product };
}

/** The statements of one new product. The first returns its row. */
export const creationStatements = (
  db: StoreDb,
  { id, columns, skus, categories_ids, images }: PlannedCreation,
) =>
  [
    db.insertStatement(products, columns, id),
    ...skus.flatMap((sku) => insertSkuStatements(db, id, sku)),
    ...(categories_ids.length > 0
      ? [linkStatement(db, categoriesOfProduct, id, categories_ids)]
      : []),
    ...(images.length > 0 ? replaceImagesStatements(db, id, images) : []),
  ] as const;
