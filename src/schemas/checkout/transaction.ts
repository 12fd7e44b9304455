import * as z from 'zod';
import { moneyOutput } from '../../codecs/fields/scalars.ts';
import { dateTimeMicro } from '../../codecs/time/date-time.ts';
import { OrderedCartSchema } from './cart.ts';
import { customerRelation } from './customer.ts';
import { PaymentSchema } from './payment.ts';

const line = z.string();
const int = z.int();

/** A payment of an order. Unlike elsewhere, its timestamps have six digits after the seconds. */
export const TransactionSchema = z
  .object({
    id: int,
    order_id: int.meta({ description: 'Order that the transaction pays.' }),
    customer_id: int.nullable(),
    payment_id: int,
    affiliation_id: int.nullable(),
    marketplace_id: int.nullable(),
    marketplace_account_id: int.nullable(),
    authorized: z.boolean(),
    captured: z.boolean(),
    cancelled: z.boolean(),
    can_be_captured: z.boolean(),
    can_be_cancelled: z.boolean(),
    gateway_transaction_id: int.nullable(),
    gateway_order_id: int.nullable(),
    gateway_billet_id: int.nullable(),
    gateway_authorization_code: line.nullable(),
    amount: moneyOutput,
    buyer_amount: moneyOutput,
    installment_value: moneyOutput,
    buyer_installment_value: moneyOutput,
    installments: int,
    installment_formated: line,
    buyer_installment_formated: line,
    status: line,
    error_message: line.nullable(),
    error_code: int.nullable(),
    bank_name: line.nullable(),
    bank_alias: line.nullable(),
    truncated_card: line.nullable(),
    holder_name: line.nullable(),
    holder_document: line.nullable(),
    billet_url: line.nullable(),
    billet_barcode: line.nullable(),
    billet_date: line.nullable().meta({ description: 'Last day to pay, YYYY-MM-DD.' }),
    billet_our_number: line.nullable(),
    billet_document_number: line.nullable(),
    billet_whatsapp_link: line.nullable(),
    antifraud_sale_id: int.nullable(),
    antifraud_status: line.nullable(),
    antifraud_score: line.nullable(),
    sent_to_antifraud: line.meta({ description: 'The string "true" or "false".' }),
    total_logs: int,
    created_at: dateTimeMicro,
    updated_at: dateTimeMicro,
    capture_date: dateTimeMicro.nullable(),
    authorized_at: dateTimeMicro.nullable(),
    captured_at: dateTimeMicro.nullable(),
    cancelled_at: dateTimeMicro.nullable(),
    payment: z.object({ data: PaymentSchema }),
    metadata: z.array(z.object({ key: line, value: line })),
  })
  .meta({ id: 'Transaction' });

/** `resource` of transaction.payment.refused. `cart` is null for an order that was placed without one. */
export const TransactionEventSchema = TransactionSchema.extend({
  customer: customerRelation,
  cart: z.object({ data: OrderedCartSchema.nullable() }),
}).meta({ id: 'TransactionEvent' });
