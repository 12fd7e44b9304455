import * as z from 'zod';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { explain } from '../../base/codecs/meaning.ts';

/** A picture of a product. */
export const ProductImageSchema = z
  .object({
    id: idOutput,
    url: z.string(),
    alt: z.string().nullable(),
    position: z.int(),
  })
  .meta({ id: 'ProductImage' });

/* @__PURE__ */ explain(ProductImageSchema, 'A picture of a product.', {
  url: 'Address of the picture, which you host; each once per product.',
  alt: 'What the picture shows, for screen readers and search engines.',
  position: 'Place among the pictures, from 1; the first is the main one.',
});

/** A property that distinguishes a SKU from the other variants. */
export const VariationSchema = z
  .object({
    name: z.string(),
    value: z.string(),
  })
  .meta({ id: 'Variation' });

/* @__PURE__ */ explain(VariationSchema, 'A property that tells a SKU from the other variants.', {
  name: 'Property that differs, such as Colour.',
  value: 'Its value in this variant, such as Blue.',
});
