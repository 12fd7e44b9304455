import * as z from 'zod';
import { shownBool } from '../../wire/bool.ts';
import { dateTime, iso } from '../../wire/datetime.ts';
import { shownMoney } from '../../wire/money.ts';
import { Payment } from './payment.ts';

const Installment = z
  .object({
    id: z.int(),
    payment_id: z.int(),
    installment: z.int(),
    tax: z.number(),
    percent_discount: z.number(),
    start_at: dateTime.nullable(),
    end_at: dateTime.nullable(),
    created_at: dateTime,
    updated_at: dateTime,
  })
  .meta({ id: 'Installment' });

const Gateway = z
  .object({
    alias: z.string(),
    name: z.string(),
    icon_url: z.string().nullable(),
    allow_backup: z.boolean(),
    installments_config: z.object({
      allow_custom_installments: z.boolean(),
      message: z.string().nullable(),
      help_link: z.string().nullable(),
    }),
    auth_type: z.string(),
    gateway_exists: z.boolean(),
    params: z.object({ data: z.array(z.array(z.string())) }),
  })
  .meta({ id: 'Gateway' });

const Affiliation = z
  .object({
    id: z.int(),
    active: shownBool,
    backup: shownBool,
    name: z.string(),
    statement_descriptor: z.string().nullable(),
    auto_capture: shownBool,
    has_payment_config: z.boolean(),
    capture_hour_delay: z.int(),
    force_minimum_tax: shownBool,
    status: z.enum(['active', 'pending', 'refused']),
    auth_type: z.enum(['none', 'key', 'oauth']),
    gateway: z.object({ data: z.array(Gateway) }),
  })
  .meta({ id: 'Affiliation' });

/** How a store takes one payment type (contract 3.11); its own two moments are ISO 8601 in UTC. */
export const PaymentConfiguration = z
  .object({
    id: z.int(),
    payment_id: z.int(),
    affiliation_id: z.int().nullable(),
    active: shownBool,
    default_display: shownBool,
    spread: shownBool,
    ignore_promotions: shownBool,
    accumulate_discount: shownBool,
    percent_discount: z.number(),
    min_installment_value: shownMoney,
    max_installments_without_tax: z.int(),
    billet_expire_days: z.int(),
    days_to_cancel_unpaid_billets: z.int(),
    hours_to_cancel_unpaid_pix: z.int(),
    billet_instructions: z.string().nullable(),
    installments: z.object({ data: z.array(Installment) }),
    affiliation: z.object({ data: Affiliation.nullable() }),
    payment: z.object({ data: Payment }),
    created_at: iso,
    updated_at: iso,
  })
  .meta({ id: 'PaymentConfiguration' });
