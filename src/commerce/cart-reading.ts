import { and, eq, sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { chosen, computed, computedNumber, many, one } from '../db/relations.ts';
import { cartItems, carts, customers, orders, products, skus } from '../db/schema/store.ts';
import type { Found, Store } from '../db/store-statements.ts';

const ofSku = (column: SQL) =>
  sql`(select ${column} from ${skus} where ${skus.id} = ${cartItems.sku_id})`;

const price = sql`coalesce(${skus.price_discount}, ${skus.price_sale})`;

const sumOf = (value: SQL) =>
  computedNumber(
    sql`(select coalesce(sum(${value}), 0) from ${cartItems} join ${skus} on ${skus.id} = ${cartItems.sku_id}
      where ${cartItems.cart_id} = ${carts.id})`,
  );

/** What is read with every cart; amounts in cents, at the prices of now. */
export const cartExtras = {
  order_id: computed(
    sql`(select ${orders.id} from ${orders}
      where ${and(eq(orders.store_id, carts.store_id), eq(orders.cart_id, carts.id))})`,
    (id: number | null) => id,
  ),
  total_items: sumOf(sql`${cartItems.quantity}`),
  value_products: sumOf(sql`${cartItems.quantity} * ${price}`),
};

const relations = {
  items: many(cartItems, eq(cartItems.cart_id, carts.id), {
    product_id: sql<number>`${ofSku(sql`${skus.product_id}`)}`,
    sku: sql<string>`${ofSku(sql`${skus.sku}`)}`,
    title: sql<string | null>`${ofSku(sql`${skus.title}`)}`,
    name: sql<string>`(select ${products.name} from ${products} where ${products.id} = ${ofSku(sql`${skus.product_id}`)})`,
    price: sql<number>`${ofSku(price)}`,
    value_total: sql<number>`${cartItems.quantity} * ${ofSku(price)}`,
  }),
  customer: one(customers, eq(customers.id, carts.customer_id)),
};

/** The names that `include` knows. */
export const cartIncludes = ['items', 'customer'] as const;

/** A cart with everything that its event shows. */
export const wholeCart = { ...cartExtras, ...relations };

export type WholeCart = Found<typeof carts, typeof wholeCart>;

type ReadCart = Found<typeof carts, typeof cartExtras>;

/** What is read with a cart for a query's `include`. */
export const readWithCart = (
  names: readonly string[],
): typeof cartExtras & Partial<typeof relations> => ({
  ...cartExtras,
  ...chosen(relations, names),
});

/** Adds what follows from the columns and the store, and groups what belongs together. */
export function presentCart<C extends ReadCart>({ id: merchant_id }: Store, cart: C) {
  const { name, email, phone, shipment_service: service, value_shipment: value } = cart;
  const isNobody = name === null && email === null && phone === null;
  return {
    ...cart,
    merchant_id,
    tracking_data: isNobody ? null : { name, email, phone },
    shipping: { service, value },
    value_total: cart.value_products + value,
  };
}

/** Whether somebody can be reminded: a guest or a customer who has left an address or a number. */
export const hasContact = (
  cart: { email: string | null; phone: string | null },
  customer: { email: string | null; phone: string | null } | null,
) => [cart, customer].some((one) => Boolean(one?.email ?? one?.phone));
