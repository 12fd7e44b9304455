import { eq, sql } from 'drizzle-orm';
import * as z from 'zod';
import { explain } from '../../base/codecs/meaning.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { linkedIds } from '../../data/queries/links.ts';
import { computedNumber, toMany } from '../../data/queries/relations.ts';
import { productImages, products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { categoriesOfProduct } from '../catalog-links.ts';
import { ProductSchema, productMeanings } from '../products/schema.ts';
import { SkuSchema, skuMeanings } from '../skus/schema.ts';

/** A SKU in a line of an export: the fields that a line of an import accepts. */
const SkuLine = SkuSchema.omit({
  product_id: true,
  total_in_stock: true,
  created_at: true,
  updated_at: true,
}).extend({
  quantity: z
    .int()
    .optional()
    .describe('Stored quantity at location 1; only in exports with inventory.read.'),
});

/* @__PURE__ */ explain(SkuLine, 'A SKU in a line of a file.', skuMeanings);

/** A line of an export. Imported again, it changes nothing. */
export const ExportedProductSchema = ProductSchema.pick({
  id: true,
  active: true,
  searchable: true,
  simple: true,
  is_digital: true,
  custom_shipping: true,
  name: true,
  slug: true,
  sku: true,
  erp_id: true,
  ncm: true,
  description: true,
  brand_id: true,
  priority: true,
  warranty: true,
  gift_value: true,
  shipping_price: true,
  redirect_url_card: true,
  redirect_url_billet: true,
})
  .extend({
    categories_ids: z.array(z.int()).describe('Ids of the categories that show the product.'),
    images: z
      .array(
        z.object({
          url: z.string().describe('Address of the image.'),
          alt: z.string().nullable().describe('Text for those who do not see the image.'),
        }),
      )
      .describe('Images in their order.'),
    skus: z.array(SkuLine).describe('All SKUs of the product.'),
  })
  .meta({ id: 'ProductLine' });

/* @__PURE__ */ explain(
  ExportedProductSchema,
  'A product with its SKUs, as one line of a file.',
  productMeanings,
);

const serialize = compileSerializer(ExportedProductSchema);

const quantity = computedNumber(
  sql`(select ${stocks.quantity} from ${stocks} where ${stocks.sku_id} = ${skus.id} and ${stocks.stock_id} = 1)`,
);

const extras = {
  categories_ids: linkedIds(categoriesOfProduct, products),
  skus: toMany(skus, eq(skus.product_id, products.id), { quantity }),
  images: toMany(
    productImages,
    eq(productImages.product_id, products.id),
    {},
    productImages.position,
  ),
};

/** Selects products behind an id, in the order of their ids. */
export const selectExported = (db: StoreDb, after: number, limit: number) =>
  db
    .select(products, { where: sql`${products.id} > ${after}`, extras })
    .orderBy(sql`${products.id}`)
    .limit(limit);

type ExportedProduct = StatementResult<ReturnType<typeof selectExported>>[number];

/** The line of a product, with its line feed. */
export function toExportLine(product: ExportedProduct, withStock: boolean): string {
  const skuLines = product.skus.data.map(({ quantity: stored, ...sku }) =>
    withStock ? { ...sku, quantity: stored ?? 0 } : sku,
  );
  const line = serialize({ ...product, images: product.images.data, skus: skuLines });
  return `${JSON.stringify(line)}\n`;
}
