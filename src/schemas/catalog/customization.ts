import * as z from 'zod';
import { idOutput } from '../../codecs/fields/ids.ts';
import { boolOutput, moneyOutput } from '../../codecs/fields/scalars.ts';
import { explain } from '../../codecs/meaning.ts';
import { recordTimes } from '../../codecs/time/date-time.ts';
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
    id: idOutput,
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

const customizationMeanings = {
  name: 'What buyers read beside the field.',
  price: 'What the choice adds to the price of the product, in the currency of the store.',
  description: 'Help for buyers, as plain text.',
  type: 'How buyers fill it in: a line of text, a textarea of several lines, or a select from values.',
  required: 'Whether the product can be ordered only with this choice.',
  max_chars: 'Most characters that a buyer may type; 0 sets no limit.',
  products_ids: 'Products that offer the choice, as ids; sent as a whole.',
  values: 'What buyers can choose from when type is select; empty for other types.',
  allowed_values: 'The same values joined by commas, for older clients.',
};

/* @__PURE__ */ explain(
  CustomizationSchema,
  'A choice that buyers make when they order a product, such as an engraving.',
  customizationMeanings,
);

/** The response of GET: merged with `CustomizationAdditionalResponse` of the specification. */
export const CustomizationReadSchema = z
  .object({
    ...CustomizationSchema.shape,
    ...recordTimes,
    products: z.object({ data: z.array(ProductSchema) }).optional(),
  })
  .meta({ id: 'CustomizationRead' });

/* @__PURE__ */ explain(
  CustomizationReadSchema,
  'A customization as lists and single reads return it.',
  customizationMeanings,
  { products: 'Up to 100 products that offer the choice; with include=products.' },
);

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
