import * as z from 'zod';
import { boolOutput, moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTime } from '../../codecs/time/date-time.ts';
import type { Store } from '../../db/core/store.ts';
import type { Row } from '../../db/core/table.ts';
import { linkedIds, isLinkedTo, type Link } from '../../db/query/links.ts';
import { toMany } from '../../db/query/relations.ts';
import { products } from '../../db/schema/store/catalog.ts';
import { customizationProducts, customizations } from '../../db/schema/store/product-extras.ts';
import { ProductSchema, serializeProduct } from './product.ts';

/** The response of POST and PUT. */
export const CustomizationSchema = z
  .object({
    id: z.int(),
    name: z.string(),
    price: moneyOutput,
    description: z.string().nullable(),
    type: z.enum(['text', 'textarea', 'select']),
    required: boolOutput,
    max_chars: z.int(),
    products_ids: z.array(z.int()),
    values: z.array(z.string()),
    allowed_values: z.string(),
  })
  .meta({ id: 'Customization' });

/** The response of GET: merged with `CustomizationAdditionalResponse` of the specification. */
export const CustomizationReadSchema = z
  .object({
    ...CustomizationSchema.shape,
    created_at: dateTime,
    updated_at: dateTime,
    products: z.object({ data: z.array(ProductSchema) }).optional(),
  })
  .meta({ id: 'CustomizationRead' });

/** The products that offer a customization. */
export const productsOfCustomization = {
  table: customizationProducts,
  owner: customizations,
  ownerId: customizationProducts.customization_id,
  linked: products,
  linkedId: customizationProducts.product_id,
} satisfies Link;

const idsOnly = { products_ids: linkedIds(productsOfCustomization, customizations) };
const withProducts = {
  ...idsOnly,
  products: toMany(products, isLinkedTo(productsOfCustomization, customizations.id)),
};

/** The product ids, and the products when `include` names them. */
export const selectCustomizationExtras = (
  includes: readonly string[] = [],
): typeof idsOnly & Partial<typeof withProducts> =>
  includes.includes('products') ? withProducts : idsOnly;

export function serializeCustomization<
  C extends Pick<Row<typeof customizations>, 'values'> & {
    products?: { data: Row<typeof products>[] };
  },
>(store: Store, customization: C) {
  const { products: related, ...row } = customization;
  return {
    ...row,
    allowed_values: customization.values.join(','),
    ...(related && {
      products: { data: related.data.map((product) => serializeProduct(store, product)) },
    }),
  };
}
