import * as z from 'zod';
import { explain } from '../../codecs/meaning.ts';

/** The settings of a store. */
export const StoreSettingsSchema = z
  .object({
    cart_idle_minutes: z.int(),
  })
  .meta({ id: 'StoreSettings' });

/* @__PURE__ */ explain(
  StoreSettingsSchema,
  'Settings of a store that change how the service works for it.',
  {
    cart_idle_minutes:
      'Minutes without an edit after which a cart counts as abandoned and cart.reminder is sent.',
  },
);
