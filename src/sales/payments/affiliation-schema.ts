import * as z from 'zod';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { boolOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';

const GatewaySchema = z
  .object({
    alias: z.string(),
    name: z.string(),
    icon_url: z.string().nullable(),
    allow_backup: z.boolean(),
    installments_config: z.object({
      allow_custom_installments: z
        .boolean()
        .describe('Whether you may choose the numbers of installments yourself.'),
      message: z
        .string()
        .nullable()
        .describe('Advice of the gateway about installments; null for none.'),
      help_link: z
        .string()
        .nullable()
        .describe('Page of the gateway about installments; null for none.'),
    }),
    auth_type: z.string(),
    gateway_exists: z.boolean(),
    params: z.object({ data: z.array(z.array(z.string())) }),
  })
  .meta({ id: 'Gateway' });

/* @__PURE__ */ explain(
  GatewaySchema,
  'A service that moves the money. Here only manual exists: you report what happened.',
  {
    alias: 'Word for the gateway.',
    name: 'Name for people.',
    icon_url: 'Address of its logo; null for none.',
    allow_backup: 'Whether it can stand in for another gateway.',
    installments_config: 'What the gateway allows for installments.',
    auth_type: 'How the gateway is signed in to: none, key or oauth.',
    gateway_exists: 'Whether this service still has the gateway.',
    params: 'Groups of names of the credentials that the gateway needs; empty for manual.',
  },
);

/** A contract of a store with payment gateways. */
export const AffiliationSchema = z
  .object({
    id: idOutput,
    active: boolOutput,
    backup: boolOutput,
    name: z.string(),
    statement_descriptor: z.string().nullable(),
    auto_capture: boolOutput,
    has_payment_config: z.boolean(),
    capture_hour_delay: z.int(),
    force_minimum_tax: boolOutput,
    status: z.enum(['active', 'pending', 'refused']),
    auth_type: z.enum(['none', 'key', 'oauth']),
    gateway: z.object({ data: z.array(GatewaySchema) }),
  })
  .meta({ id: 'Affiliation' });

/* @__PURE__ */ explain(
  AffiliationSchema,
  'A contract of the store with a gateway, which decides how cards are captured.',
  {
    active: 'Whether the contract is in use.',
    backup: 'Whether it stands in when another contract fails.',
    name: 'Name for the staff.',
    statement_descriptor:
      'What buyers read on the card statement; null for the default of the gateway.',
    auto_capture:
      'Whether an authorized card is captured by itself, capture_hour_delay hours later.',
    has_payment_config: 'Whether any payment configuration uses the contract.',
    capture_hour_delay: 'Hours from authorization to capture with auto_capture.',
    force_minimum_tax:
      'Whether the lowest interest of the gateway applies; the service only keeps it.',
    status: 'Whether the gateway accepts the store: active, pending or refused.',
    auth_type: 'How the store signs in to the gateway.',
    gateway: 'The gateways of the contract.',
  },
);

/* @__PURE__ */ explainEnum(
  'AffiliationStatus',
  'Whether the payment provider accepts payments of the store.',
  {
    active: 'Payments are accepted.',
    pending: 'The provider has not decided yet.',
    refused: 'The provider declined the store.',
  },
);

/* @__PURE__ */ explainEnum('GatewayAuthType', 'How a store signs in at its payment provider.', {
  none: 'Nothing to sign in with.',
  key: 'With keys that the provider gives out.',
  oauth: "With the merchant's consent at the provider.",
});
