import type { orderAddresses } from '../db/schema/store.ts';
import type { Row } from '../db/table.ts';
import type { PaymentChoice } from './new-transaction.ts';

/** Where an order goes. */
export type ShippingAddress = Omit<
  Row<typeof orderAddresses>,
  'id' | 'store_id' | 'order_id' | 'created_at' | 'updated_at'
>;

/** So many units of a SKU; without a price, at the price of the SKU. */
export interface NewItem {
  sku_id: number;
  quantity: number;
  price?: number | undefined;
}

/** An order that is to be placed. Amounts in cents. */
export interface NewOrder {
  customer_id: number;
  /** One to a hundred, each SKU once. */
  items: readonly NewItem[];
  /** An address of the customer by its id, or an address of its own. */
  shipping: { id: number } | ShippingAddress;
  value_shipment: number;
  value_discount: number;
  value_tax: number;
  shipment_service: string | null;
  utm_source: string | null;
  utm_medium: string | null;
  utm_campaign: string | null;
  utm_term: string | null;
  utm_content: string | null;
  metadata: { key: string; value: string }[];
  /** The first transaction, if there is one already. */
  payment: PaymentChoice | undefined;
  /** An order that was paid elsewhere comes in as paid. */
  isPaid: boolean;
  cart: { id: number; token: string } | undefined;
}
