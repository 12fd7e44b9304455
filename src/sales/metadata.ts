import * as z from 'zod';
import { explain } from '../base/codecs/meaning.ts';
import { writtenOutside } from '../base/codecs/written-outside.ts';

/** A pair of the field `metadata`. */
export const MetadataPairSchema = z
  .object({
    key: writtenOutside(z.string()),
    value: writtenOutside(z.string()),
  })
  .meta({ id: 'MetadataPair' });

/* @__PURE__ */ explain(
  MetadataPairSchema,
  'A piece of your own data that a record carries along.',
  {
    key: 'Your word for what value is.',
    value: 'Any text; the service does not read it.',
  },
);
