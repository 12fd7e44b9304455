import type * as z from 'zod';
import { bool } from '../../wire/bool.ts';
import { id } from '../../wire/id.ts';
import { list, onlyOnce } from '../../wire/list.ts';
import { money } from '../../wire/money.ts';
import { int, percent } from '../../wire/number.ts';
import { orNull } from '../../wire/or-null.ts';
import { request } from '../../wire/request.ts';
import { line } from '../../wire/text.ts';
import { url } from '../../wire/url.ts';
import { choice } from '../../wire/words.ts';

/** Items are replaced whole, so PUT reads one as POST does. */
const item = request({
  required: { sku_id: id(), quantity: int(1, 10_000) },
  optional: {
    price_type: [choice(['sku', 'fixed', 'discount']), 'sku'],
    price: [orNull(money), null],
    discount: [percent(), 0],
  },
}).post;

const items = list(item, { min: 1, max: 100 })
  .superRefine(onlyOnce(({ sku_id }) => sku_id, 'sku_id'))
  .superRefine((sent, context) => {
    for (const [index, { price_type, price }] of sent.entries()) {
      if (price_type === 'fixed' && price === null) {
        const message = 'Required when price_type is fixed.';
        context.addIssue({ code: 'custom', path: [index, 'price'], message });
      }
    }
  });

/** The bodies of POST and PUT bundles (contract 3.3). */
export const BundlesRequest = request({
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
