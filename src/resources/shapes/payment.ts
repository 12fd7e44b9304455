import * as z from 'zod';

const example = {
  id: 2,
  alias: 'pix',
  name: 'Pix',
  has_config: true,
  active_config: true,
  is_credit_card: false,
  is_deposit: false,
  is_billet: false,
  is_pix: true,
  is_pix_in_installments: false,
  is_wallet: false,
  icon_url: null,
};

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
  .meta({ id: 'Payment', examples: [example] });

/** The same as its list shows it. */
export const ListedPayment = Payment.extend({
  config_id: z.int().meta({ description: 'The id that the rows of the configuration need.' }),
}).meta({ id: 'ListedPayment', examples: [{ ...example, config_id: 2 }] });
