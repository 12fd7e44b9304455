import * as z from 'zod';
import { recordTimes } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explain } from '../../base/codecs/meaning.ts';

export const BrandSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    featured: boolOutput,
    name: z.string(),
    description: z.string().nullable(),
    logo_url: z.string().nullable(),
    ...recordTimes,
  })
  .meta({ id: 'Brand' });

/* @__PURE__ */ explain(BrandSchema, 'The maker or label of products. A product has at most one.', {
  active: 'Whether the shop may show the brand; products of an inactive brand stay as they are.',
  featured: 'Whether the shop may highlight the brand, such as in a row of logos.',
  name: 'What buyers read; unique in the store, ignoring letter case.',
  description: 'Presentation for buyers, as plain text: tags are removed when it is sent.',
  logo_url: 'Address of the logo, which you host; the service does not copy the image.',
});
