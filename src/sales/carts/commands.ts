import { and, eq, ne, notInArray, sql } from 'drizzle-orm';
import { randomBase64url } from '../../base/crypto/random.ts';
import type { FieldErrors } from '../../base/errors.ts';
import { reserveIds } from '../../data/core/reserved-ids.ts';
import { retryOnConflict, takeTurns } from '../../data/core/retry-contention.ts';
import { lastResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { insertChildrenStatement } from '../../data/queries/child-rows.ts';
import { idsSubquery } from '../../data/queries/links.ts';
import { throwIfInvalid } from '../../data/queries/references.ts';
import { hasChanges } from '../../data/queries/revision.ts';
import { cartItems, carts } from '../../data/schema/store/carts-tables.ts';
import { skus } from '../../data/schema/store/catalog-tables.ts';
import { customers } from '../../data/schema/store/customers-tables.ts';
import { cartExtras, hasCartContact, serializeCart, fullCartExtras } from './cart-queries.ts';
import { selectCartIdleMinutes } from './cart-settings-queries.ts';
import { updateCartStatements, assertCartNotClosed } from './change-cart.ts';
import type { CartChanges, NewCart } from './requests.ts';
import { cartDueAt } from './timing.ts';

type Items = NewCart['items'];
type NewItem = Items[number] & { id: number };
/** The schema guarantees at least one item. */
type NewItems = [NewItem, ...NewItem[]];

const itemsOf = { table: cartItems, parent: carts, parentColumn: 'cart_id' } as const;

/** 128 bits, since any holder of the token of a cart can see the cart in the shop. */
const tokenBytes = 16;

/** Columns that every edit sets: it reopens the cart and restarts its idle time. */
const editColumns = (db: StoreDb) =>
  ({ status: 'open', reminders: 0, abandoned_at: null, edited_at: db.now }) as const;

/** Creates a cart with its items. Two round trips. */
export const createCart = (db: StoreDb, { items, ...body }: NewCart) =>
  retryOnConflict(async () => {
    const columns = mergeCartColumns(emptyCartColumns, body);
    const [knownSkus, buyers, idle, reserved] = await db.batch([
      ...selectReferences(db, items, columns.customer_id),
      reserveIds(db, items.length + 1),
    ]);
    throwIfInvalid(
      validateCartItems(items, knownSkus),
      validateCartCustomer(columns.customer_id, buyers),
    );
    const edit = editColumns(db);
    const timing = { ...edit, hasContact: hasCartContact(columns, buyers[0] ?? null) };
    const due_at = cartDueAt(timing, idle[0]?.minutes);
    const id = (reserved[0]?.last ?? 0) - items.length;
    const token = randomBase64url(tokenBytes);
    const results = await db.batch([
      db.insertStatement(carts, { ...columns, ...edit, token, due_at }, id),
      insertChildrenStatement(db, itemsOf, id, withIds(items, [], reserved[0]?.last)),
      db.selectOne(carts, id, cartExtras),
    ]);
    return lastResult(results).map((row) => serializeCart(db.store, row))[0];
  });

/**
 * Updates a cart, and reopens it if it was abandoned. Items are replaced; the item of a SKU that
 * stays keeps its id. Throws 409 for a closed cart. Two round trips, one if nothing changes.
 */
export const updateCart = (db: StoreDb, id: number, { items, ...body }: CartChanges) =>
  takeTurns(db, [carts, id], async () => {
    const [found, knownSkus, buyers, idle, reserved] = await db.batch([
      db.selectOne(carts, id, fullCartExtras),
      ...selectReferences(db, items ?? [], body.customer_id ?? null),
      ...(items ? [reserveIds(db, countNewItems(db, id, items))] : []),
    ]);
    if (!found[0]) return undefined;
    const { items: currentItems, customer: currentCustomer, ...before } = found[0];
    assertCartNotClosed(before);
    throwIfInvalid(
      validateCartItems(items ?? [], knownSkus),
      validateCartCustomer(body.customer_id, buyers),
    );
    const columns = mergeCartColumns(before, body);
    const newItems = items && itemsDiffer(currentItems.data, items) ? items : undefined;
    if (!newItems && !hasChanges(before, columns)) return serializeCart(db.store, before);
    const buyer =
      columns.customer_id === before.customer_id ? currentCustomer.data : (buyers[0] ?? null);
    const edit = editColumns(db);
    const timing = { ...edit, hasContact: hasCartContact(columns, buyer) };
    const due_at = cartDueAt(timing, idle[0]?.minutes);
    const results = await db.batch([
      ...updateCartStatements(db, before, { ...columns, ...edit, due_at }),
      ...(newItems
        ? replaceItemsStatements(db, id, withIds(newItems, currentItems.data, reserved?.[0]?.last))
        : []),
      db.selectOne(carts, id, cartExtras),
    ]);
    return lastResult(results).map((row) => serializeCart(db.store, row))[0];
  });

/** Deletes a cart with its items. Throws 409 for a cart that became an order. One round trip. */
export async function deleteCart(db: StoreDb, id: number) {
  const [found, removed] = await db.batch([
    db.selectOne(carts, id),
    db.deleteStatement(carts, and(eq(carts.id, id), ne(carts.status, 'converted'))),
  ]);
  if (found[0] && !removed[0]) assertCartNotClosed(found[0]);
  return removed[0];
}

/** Reads the SKUs and the customer that a body names, and the idle time of carts in this store. */
const selectReferences = (db: StoreDb, items: Items, customerId: number | null) =>
  [
    db.select(skus, { ids: idsSubquery(items.map(({ sku_id }) => sku_id)) }),
    db.select(customers, { where: eq(customers.id, customerId ?? 0) }),
    selectCartIdleMinutes(db),
  ] as const;

/** How many of the items are not in the cart yet. */
const countNewItems = ({ store }: StoreDb, id: number, items: Items) =>
  sql`(select count(*) from ${idsSubquery(items.map(({ sku_id }) => sku_id))} where value not in (
    select ${cartItems.sku_id} from ${cartItems}
    where ${cartItems.cart_id} = ${id} and ${cartItems.store_id} = ${store.id}))`;

/**
 * Gives items the ids that their SKUs have in the cart. The others get the reserved ids up to
 * `lastId`, in their order.
 */
function withIds(items: Items, before: readonly Row<typeof cartItems>[], lastId = 0): NewItems {
  const known = new Map(before.map((item) => [item.sku_id, item.id]));
  let next = lastId - items.filter(({ sku_id }) => !known.has(sku_id)).length;
  return items.map((item) => ({ ...item, id: known.get(item.sku_id) ?? (next += 1) })) as NewItems;
}

function replaceItemsStatements(db: StoreDb, id: number, items: NewItems) {
  const keptSkuIds = idsSubquery(items.map(({ sku_id }) => sku_id));
  return [
    db.deleteStatement(
      cartItems,
      and(eq(cartItems.cart_id, id), notInArray(cartItems.sku_id, keptSkuIds)),
    ),
    insertChildrenStatement(db, itemsOf, id, items, 'sku_id'),
  ];
}

const itemsDiffer = (before: Items, items: Items) =>
  before.length !== items.length ||
  items.some(
    ({ sku_id, quantity }) =>
      !before.some((item) => item.sku_id === sku_id && item.quantity === quantity),
  );

type Owner = Pick<Row<typeof carts>, 'customer_id' | 'name' | 'email' | 'phone'>;
type Columns = Owner & Pick<Row<typeof carts>, 'shipment_service' | 'value_shipment'>;

const noOwner: Owner = { customer_id: null, name: null, email: null, phone: null };

const emptyCartColumns: Columns = { ...noOwner, shipment_service: null, value_shipment: 0 };

/** Applies a body to the columns of a cart. A customer replaces a guest, and a guest a customer. */
function mergeCartColumns(before: Columns, body: Omit<CartChanges, 'items'>): Columns {
  const { service = before.shipment_service, value = before.value_shipment } = body.shipping ?? {};
  return { ...mergeOwner(before, body), shipment_service: service, value_shipment: value };
}

function mergeOwner(before: Owner, { customer_id, tracking_data: guest }: CartChanges): Owner {
  const { name, email, phone } = before;
  if (customer_id) return { ...noOwner, customer_id };
  if (guest) return { customer_id: null, name, email, phone, ...guest };
  return {
    customer_id: customer_id === null ? null : before.customer_id,
    ...(guest === null ? { name: null, email: null, phone: null } : { name, email, phone }),
  };
}

/** Returns an error for each SKU that is unknown or blocked for sale. */
const validateCartItems = (
  items: readonly { sku_id: number }[],
  known: readonly Row<typeof skus>[],
): FieldErrors =>
  Object.fromEntries(
    items.flatMap(({ sku_id }, index) => {
      const sku = known.find(({ id }) => id === sku_id);
      if (sku && !sku.blocked_sale) return [];
      const message = sku ? 'This SKU is blocked for sale.' : 'No such SKU in this store.';
      return [[`items.${index}.sku_id`, [message]]];
    }),
  );

/** Returns an error for a customer who is unknown or anonymised. */
const validateCartCustomer = (
  id: number | null | undefined,
  [found]: readonly Row<typeof customers>[],
): FieldErrors =>
  id && (!found || found.anonymized) ? { customer_id: ['No such customer in this store.'] } : {};
