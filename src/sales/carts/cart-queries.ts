import { and, eq, sql, type SQL } from 'drizzle-orm';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { SelectedRow } from '../../data/core/store-statements.ts';
import type { Store } from '../../data/core/store.ts';
import {
  pickRelations,
  computedColumn,
  computedNumber,
  toMany,
  toOne,
} from '../../data/queries/relations.ts';
import { cartItems, carts } from '../../data/schema/store/carts-tables.ts';
import { products, skus } from '../../data/schema/store/catalog-tables.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import { orders } from '../../data/schema/store/orders-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { CartEventSchema } from './schema.ts';

const serializeEvent = compileSerializer(CartEventSchema);

const skuColumn = (column: SQL) =>
  sql`(select ${column} from ${skus} where ${skus.id} = ${cartItems.sku_id})`;

const currentPrice = sql`coalesce(${skus.price_discount}, ${skus.price_sale})`;

const sumOverItems = (value: SQL) =>
  computedNumber(
    sql`(select coalesce(sum(${value}), 0) from ${cartItems} join ${skus} on ${skus.id} = ${cartItems.sku_id}
      where ${cartItems.cart_id} = ${carts.id})`,
  );

/** Computed columns that are read with every cart; amounts in cents, at current prices. */
export const cartExtras = {
  order_id: computedColumn(
    sql`(select ${orders.id} from ${orders}
      where ${and(eq(orders.store_id, carts.store_id), eq(orders.cart_id, carts.id))})`,
    (id: number | null) => id,
  ),
  total_items: sumOverItems(sql`${cartItems.quantity}`),
  value_products: sumOverItems(sql`${cartItems.quantity} * ${currentPrice}`),
};

const cartRelations = {
  items: toMany(cartItems, eq(cartItems.cart_id, carts.id), {
    product_id: sql<number>`${skuColumn(sql`${skus.product_id}`)}`,
    sku: sql<string>`${skuColumn(sql`${skus.sku}`)}`,
    title: sql<string | null>`${skuColumn(sql`${skus.title}`)}`,
    name: sql<string>`(select ${products.name} from ${products} where ${products.id} = ${skuColumn(sql`${skus.product_id}`)})`,
    price: sql<number>`${skuColumn(currentPrice)}`,
    value_total: sql<number>`${cartItems.quantity} * ${skuColumn(currentPrice)}`,
  }),
  customer: toOne(customers, eq(customers.id, carts.customer_id)),
};

/** The values that `include` accepts. */
export const cartIncludes = ['items', 'customer'] as const;

/** All that an event of a cart needs: computed columns and all relations. */
export const fullCartExtras = { ...cartExtras, ...cartRelations };

export type FullCart = SelectedRow<typeof carts, typeof fullCartExtras>;

type CartRecord = SelectedRow<typeof carts, typeof cartExtras>;

/** Computed columns, and the relations that a query's `include` names. */
export const cartExtrasWith = (
  names: readonly string[],
): typeof cartExtras & Partial<typeof cartRelations> => ({
  ...cartExtras,
  ...pickRelations(cartRelations, names),
});

/** Serializes a cart, with its totals and with its columns grouped. */
export function serializeCart<C extends CartRecord>({ id: merchant_id }: Store, cart: C) {
  const { name, email, phone, shipment_service: service, value_shipment: value } = cart;
  const isAnonymous = name === null && email === null && phone === null;
  return {
    ...cart,
    merchant_id,
    tracking_data: isAnonymous ? null : { name, email, phone },
    shipping: { service, value },
    value_total: cart.value_products + value,
  };
}

/**
 * Whether the guest or the customer left an e-mail address or a phone number, so that a reminder
 * can reach them.
 */
export const hasCartContact = (
  cart: { email: string | null; phone: string | null },
  customer: { email: string | null; phone: string | null } | null,
) => [cart, customer].some((contact) => Boolean(contact?.email ?? contact?.phone));

/** Returns the reminder event of a cart; its resource holds the items and the customer. */
export const toCartReminderEvent = (db: StoreDb, cart: FullCart): StoreEvent => ({
  name: 'cart.reminder',
  resource: runInZone(db.store.zone, () => serializeEvent(serializeCart(db.store, cart))),
});
