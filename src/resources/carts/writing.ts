import { and, eq, inArray, ne, notInArray } from 'drizzle-orm';
import { cartExtras, hasContact, presentCart, wholeCart } from '../../commerce/cart-reading.ts';
import { cartStep } from '../../commerce/cart-step.ts';
import { cartDueAt } from '../../commerce/cart-timing.ts';
import { refuseClosed } from '../../commerce/closed-cart.ts';
import { randomBase64url } from '../../crypto/random.ts';
import { insertionBelow } from '../../db/children.ts';
import { untilFresh } from '../../db/fresh.ts';
import { idList, newestOf } from '../../db/links.ts';
import { refuseIf } from '../../db/references.ts';
import { differ } from '../../db/revision.ts';
import { cartItems, carts, customers, skus } from '../../db/schema/store.ts';
import { lastOf } from '../../db/statement.ts';
import { readingIdleMinutes } from '../../db/store-settings.ts';
import type { StoreDb } from '../../db/store.ts';
import { cartColumns, emptyCart } from './cart-columns.ts';
import { customerErrors, itemErrors } from './named-records.ts';
import type { CartChanges, NewCart } from './requests.ts';

type Items = NewCart['items'];

const itemsOf = { table: cartItems, parent: carts, by: 'cart_id' } as const;

/** 128 bits: whoever knows the token of a cart may see it in the shop. */
const tokenBytes = 16;

/** What a cart is after every edit; its idleness begins anew. */
const edited = (db: StoreDb) =>
  ({ status: 'open', reminders: 0, abandoned_at: null, edited_at: db.now }) as const;

/** Adds a cart with its items. Two round trips. */
export const createCart = (db: StoreDb, { items, ...body }: NewCart) =>
  untilFresh(async () => {
    const columns = cartColumns(emptyCart, body);
    const [known, buyers, idle] = await db.batch(named(db, items, columns.customer_id));
    refuseIf(itemErrors(items, known), customerErrors(columns.customer_id, buyers));
    const fresh = edited(db);
    const timed = { ...fresh, hasContact: hasContact(columns, buyers[0] ?? null) };
    const due_at = cartDueAt(timed, idle[0]?.minutes);
    const newest = newestOf(db, carts);
    const token = randomBase64url(tokenBytes);
    const results = await db.batch([
      db.insertion(carts, { ...columns, ...fresh, token, due_at }),
      insertionBelow(db, itemsOf, newest, listed(items)),
      db.select(carts, { where: eq(carts.id, newest), extras: cartExtras }),
    ]);
    return lastOf(results).map((row) => presentCart(db.store, row))[0];
  });

/**
 * Changes a cart, which opens it again if it was abandoned; its items are replaced, that of a SKU which stays keeps its
 * id. 409 for a closed one. Two round trips, one when nothing changes.
 */
export const updateCart = (db: StoreDb, id: number, { items, ...body }: CartChanges) =>
  untilFresh(async () => {
    const [found, known, buyers, idle] = await db.batch([
      db.selectOne(carts, id, wholeCart),
      ...named(db, items ?? [], body.customer_id ?? null),
    ]);
    if (!found[0]) return undefined;
    const { items: kept, customer: owner, ...before } = found[0];
    refuseClosed(before);
    refuseIf(itemErrors(items ?? [], known), customerErrors(body.customer_id, buyers));
    const columns = cartColumns(before, body);
    const replaced = items && haveOther(kept.data, items) ? items : undefined;
    if (!replaced && !differ(before, columns)) return presentCart(db.store, before);
    const buyer = columns.customer_id === before.customer_id ? owner.data : (buyers[0] ?? null);
    const fresh = edited(db);
    const timed = { ...fresh, hasContact: hasContact(columns, buyer) };
    const due_at = cartDueAt(timed, idle[0]?.minutes);
    const results = await db.batch([
      ...cartStep(db, before, { ...columns, ...fresh, due_at }),
      ...(replaced ? replacing(db, id, replaced) : []),
      db.selectOne(carts, id, cartExtras),
    ]);
    return lastOf(results).map((row) => presentCart(db.store, row))[0];
  });

/** Removes a cart with its items. 409 for one that became an order. One round trip. */
export async function deleteCart(db: StoreDb, id: number) {
  const [found, removed] = await db.batch([
    db.selectOne(carts, id),
    db.removal(carts, and(eq(carts.id, id), ne(carts.status, 'converted'))),
  ]);
  if (found[0] && !removed[0]) refuseClosed(found[0]);
  return removed[0];
}

/** Reads what a body names, and how long a cart of this store may be idle. */
const named = (db: StoreDb, items: Items, customerId: number | null) =>
  [
    db.select(skus, { where: inArray(skus.id, idList(items.map(({ sku_id }) => sku_id))) }),
    db.select(customers, { where: eq(customers.id, customerId ?? 0) }),
    readingIdleMinutes(db),
  ] as const;

function replacing(db: StoreDb, id: number, items: Items) {
  const kept = idList(items.map(({ sku_id }) => sku_id));
  return [
    db.removal(cartItems, and(eq(cartItems.cart_id, id), notInArray(cartItems.sku_id, kept))),
    insertionBelow(db, itemsOf, id, listed(items), 'sku_id'),
  ];
}

/** The body holds at least one item. */
const listed = (items: Items) => items as [Items[number], ...Items];

const haveOther = (kept: Items, items: Items) =>
  kept.length !== items.length ||
  items.some(
    ({ sku_id, quantity }) =>
      !kept.some((item) => item.sku_id === sku_id && item.quantity === quantity),
  );
