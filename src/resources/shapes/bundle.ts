import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';

const BundleItem = z
  .object({
    id: z.int(),
    bundle_id: z.int(),
    sku_id: z.int(),
    quantity: z.int(),
    price_type: z.enum(['sku', 'fixed', 'discount']),
    price: shownMoney.nullable(),
    discount: z.number(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'BundleItem' });

/** A kit as it is shown (contract 3.3); the specification calls one `Bundles`. */
export const Bundles = z
  .object({
    id: z.int(),
    name: z.string(),
    image_url: z.string(),
    active: shownBool,
    modifiable: shownBool,
    custom_shipping: shownBool,
    shipping_type: z.enum(['default', 'fixed', 'free']),
    shipping_price: shownMoney.nullable(),
    shipping_days: z.int().nullable(),
    purchase_url: z.string(),
    items: z.object({ data: z.array(BundleItem) }),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Bundles' });
