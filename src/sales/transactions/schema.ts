import * as z from 'zod';
import { dateTimeMicro } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { moneyOutput } from '../../base/codecs/fields/scalars.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import { transactionStatuses } from '../../data/schema/store/transactions-tables.ts';
import { OrderedCartSchema } from '../carts/schema.ts';
import { customerRelation } from '../customers/schema.ts';
import { MetadataPairSchema } from '../metadata.ts';
import { PaymentSchema } from '../payments/schema.ts';

const line = z.string();
const int = z.int();

/** A payment of an order. Unlike elsewhere, its timestamps have six digits after the seconds. */
export const TransactionSchema = z
  .object({
    id: idOutput,
    order_id: int,
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
    status: z.enum(transactionStatuses),
    error_message: writtenOutside(line.nullable()),
    error_code: int.nullable(),
    bank_name: writtenOutside(line.nullable()),
    bank_alias: line.nullable(),
    truncated_card: line.nullable(),
    holder_name: writtenOutside(line.nullable()),
    holder_document: writtenOutside(line.nullable()),
    billet_url: line.nullable(),
    billet_barcode: line.nullable(),
    billet_date: line.nullable(),
    billet_our_number: line.nullable(),
    billet_document_number: line.nullable(),
    billet_whatsapp_link: line.nullable(),
    antifraud_sale_id: int.nullable(),
    antifraud_status: line.nullable(),
    antifraud_score: line.nullable(),
    sent_to_antifraud: z.enum(['true', 'false']),
    total_logs: int,
    created_at: dateTimeMicro,
    updated_at: dateTimeMicro,
    capture_date: dateTimeMicro.nullable(),
    authorized_at: dateTimeMicro.nullable(),
    captured_at: dateTimeMicro.nullable(),
    cancelled_at: dateTimeMicro.nullable(),
    payment: z.object({ data: PaymentSchema }),
    metadata: z.array(MetadataPairSchema),
  })
  .meta({ id: 'Transaction' });

const transactionMeanings = {
  order_id: 'Order that the transaction pays.',
  customer_id: 'Customer who pays.',
  payment_id: 'Payment type that was chosen.',
  affiliation_id: 'Payment contract that was used; null if none was configured.',
  marketplace_id: 'Marketplace of the sale; null, because the service has none.',
  marketplace_account_id: 'Account in the marketplace; null, because the service has none.',
  authorized:
    'Whether the money is or was assured; stays true after a cancellation, not after a refusal.',
  captured: 'Whether the money was taken; stays true after a refund.',
  cancelled: 'Whether it was cancelled, or refunded after capture.',
  can_be_captured: 'Whether capture works now: status is authorized.',
  can_be_cancelled: 'Whether cancel works now; for a paid transaction it is the refund.',
  gateway_transaction_id: 'Id in the payment gateway; null without one.',
  gateway_order_id: 'Id of the order in the gateway; null without one.',
  gateway_billet_id: 'Id of the billet in the gateway; null without one.',
  gateway_authorization_code: 'Code of the card issuer; null without a gateway.',
  amount: 'What the store gets, without interest, in the currency of the store.',
  buyer_amount: 'What the buyer pays, with interest.',
  installment_value: 'amount by installments, rounded up to a cent.',
  buyer_installment_value: 'buyer_amount by installments, rounded up to a cent.',
  installments: 'How many monthly parts the buyer pays in, 1 to 24.',
  installment_formated: 'installments and installment_value for people, such as 3x R$ 33,34.',
  buyer_installment_formated: 'The same with buyer_installment_value.',
  status:
    'waiting_payment, authorized, paid, refused, cancelled or refunded; the last three are final.',
  error_message: 'Why the payment was refused; null unless status is refused.',
  error_code: 'Number of the reason; null unless status is refused.',
  bank_name: 'Bank of the payment; null without a gateway.',
  bank_alias: 'Short name of the bank; null without a gateway.',
  truncated_card:
    'At most the first six and last four digits of the card. Full numbers are rejected.',
  holder_name: 'Name on the card or account: personal data.',
  holder_document: 'CPF or CNPJ of the holder: personal data.',
  billet_url: 'Address of the billet; null without a gateway.',
  billet_barcode: 'Barcode of the billet; null without a gateway.',
  billet_date: 'Last day to pay a billet, YYYY-MM-DD in local time; null for other types.',
  billet_our_number: 'Number that the bank knows the billet by; null without a gateway.',
  billet_document_number: 'Document number on the billet; null without a gateway.',
  billet_whatsapp_link: 'Link that sends the billet by WhatsApp; null without a gateway.',
  antifraud_sale_id: 'Id in the antifraud service; null without one.',
  antifraud_status: 'Verdict of the antifraud service; null without one.',
  antifraud_score: 'Risk that the antifraud service saw; null without one.',
  sent_to_antifraud: 'Whether an antifraud service was asked, as the text "true" or "false".',
  total_logs: 'How many changes of status it had, its start included.',
  created_at: 'When the attempt began.',
  updated_at: 'When its status or amounts last changed.',
  capture_date:
    'While authorized, when the money will be taken by itself; once paid, when it was. Null if none is or was taken.',
  authorized_at: 'When the money was assured; null if it never was, or if the payment was refused.',
  captured_at: 'When the money was taken; kept after a refund.',
  cancelled_at: 'When it was cancelled or refunded.',
  payment: 'How the buyer pays, such as boleto or pix.',
  metadata: 'Key and value pairs of a gateway; empty without one.',
};

/* @__PURE__ */ explain(
  TransactionSchema,
  'One attempt to pay an order. Its timestamps have six decimals of the seconds.',
  transactionMeanings,
);

/**
 * `resource` of transaction.payment.refused. `cart` is null for an order that was placed without
 * one.
 */
export const TransactionEventSchema = TransactionSchema.extend({
  customer: customerRelation,
  cart: z.object({ data: OrderedCartSchema.nullable() }),
}).meta({ id: 'TransactionEvent' });

/* @__PURE__ */ explain(
  TransactionEventSchema,
  'A refused transaction, as transaction.payment.refused carries it.',
  transactionMeanings,
  {
    cart: 'The cart of the order, for winning the buyer back; null for an order without one.',
  },
);

/* @__PURE__ */ explainEnum('TransactionStatus', 'How far the payment of an order has come.', {
  waiting_payment: 'The buyer has not paid yet, as with an open billet or Pix.',
  authorized: 'The card is charged only when you capture the transaction.',
  paid: 'The money is received.',
  refused: 'The provider refused it; transaction.payment.refused was sent. Final.',
  cancelled: 'Given up before it was paid. Final.',
  refunded: 'Paid, then given back. Final.',
});

/* @__PURE__ */ explainEnum('BooleanText', 'A yes or no, written as text.', {
  true: 'Yes.',
  false: 'No.',
});
