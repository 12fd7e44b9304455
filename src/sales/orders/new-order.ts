import type { Row } from '../../data/core/store-table.ts';
import type { orderAddresses } from '../../data/schema/store/orders-tables.ts';
import type { PaymentChoice } from '../transactions/new-transaction.ts';
import type { NewBuyer } from './new-buyer.ts';

/** A shipping address without the columns of its row. */
export type ShippingAddress = Omit<
  Row<typeof orderAddresses>,
  'id' | 'store_id' | 'order_id' | 'created_at' | 'updated_at'
>;

/** An item to order. Without a price it costs what its SKU costs now. */
export interface NewOrderItem {
  sku_id: number;
  quantity: number;
  price?: number | undefined;
}

/** Input of `placeOrder`. Amounts in cents. */
export interface NewOrder {
  /** The id of a customer, or a buyer who may be new. */
  buyer: { id: number } | NewBuyer;
  /** 1 to 100 items with distinct SKUs. */
  items: readonly NewOrderItem[];
  /** The id of a saved address of the customer, or an address that only this order uses. */
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
  /** The first transaction, if any. */
  payment: PaymentChoice | undefined;
  /** Whether the order was paid elsewhere; it then starts as paid. */
  isPaid: boolean;
  /** The cart that the order is created from, if any. */
  cart: { id: number; token: string } | undefined;
}
