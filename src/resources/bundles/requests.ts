import type * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { arrayOf, uniqueBy } from '../../codecs/fields/arrays-and-objects.ts';
import { recordId } from '../../codecs/fields/ids.ts';
import { orNull } from '../../codecs/fields/nullable.ts';
import { bool, money, int, percent } from '../../codecs/fields/scalars.ts';
import { url } from '../../codecs/fields/string-formats.ts';
import { line, choice } from '../../codecs/fields/text.ts';

/** PUT replaces all items, so it reads an item like POST. */
const item = requestBodies({
  required: { sku_id: recordId(), quantity: int(1, 10_000) },
  optional: {
    price_type: [choice(['sku', 'fixed', 'discount']), 'sku'],
    price: [orNull(money), null],
    discount: [percent(), 0],
  },
}).post;

const items = arrayOf(item, { min: 1, max: 100 })
  .superRefine(uniqueBy(({ sku_id }) => sku_id, 'sku_id'))
  .superRefine((items, context) => {
    for (const [index, { price_type, price }] of items.entries()) {
      if (price_type === 'fixed' && price === null) {
        const message = 'Required when price_type is fixed.';
        context.addIssue({ code: 'custom', path: [index, 'price'], message });
      }
    }
  });

export const BundlesRequest = requestBodies({
  required: { name: line(255), image_url: url(), items },
  optional: {
    active: [bool, true],
    modifiable: [bool, false],
    custom_shipping: [bool, false],
    shipping_type: [choice(['default', 'fixed', 'free']), 'default'],
    shipping_price: [orNull(money), null],
    shipping_days: [orNull(int(0, 365)), null],
  },
});

export type NewBundle = z.output<typeof BundlesRequest.post>;
export type BundleChanges = z.output<typeof BundlesRequest.put>;
