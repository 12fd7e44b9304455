import { z } from 'zod';

/** A payment type of a store (contract 3.11); exactly one of the six is true. */
export const Payment = z
  .object({
    id: z.int(),
    alias: z.string(),
    name: z.string(),
    has_config: z.boolean(),
    active_config: z.boolean(),
    is_credit_card: z.boolean(),
    is_deposit: z.boolean(),
    is_billet: z.boolean(),
    is_pix: z.boolean(),
    is_pix_in_installments: z.boolean(),
    is_wallet: z.boolean(),
    icon_url: z.string().nullable(),
  })
  .meta({ id: 'Payment' });

/** The same as its list shows it. */
export const ListedPayment = Payment.extend({
  config_id: z.int().meta({ description: 'The id that the rows of the configuration need.' }),
}).meta({ id: 'ListedPayment' });
