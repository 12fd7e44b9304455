import * as z from 'zod';

/** The settings of a store. */
export const StoreSettingsSchema = z
  .object({
    cart_idle_minutes: z.int().meta({
      description: 'A cart that was not edited for this many minutes counts as abandoned.',
    }),
  })
  .meta({ id: 'StoreSettings' });
