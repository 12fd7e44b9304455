import { asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type * as z from 'zod';
import { runInZone } from '../../base/codecs/fields/zone.ts';
import { compileSerializer } from '../../base/codecs/serializer.ts';
import { conflict, type HttpError } from '../../base/errors.ts';
import type { Statement, StatementResult } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Row } from '../../data/core/store-table.ts';
import { toMany, toOne } from '../../data/queries/relations.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { orderItems, type OrderStatus } from '../../data/schema/store/orders-tables.ts';
import { eventKey, type EventSet } from '../../webhooks/events/publish-set.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import type { StockMove } from '../bulk/named-sku-queries.ts';
import { skuExtras, StockEventSchema } from '../skus/schema.ts';
import { assertProductsUnchanged, moveStockStatements } from './stock-queries.ts';

/**
 * How one ordered unit changes a stock: `quantity` is on hand, `reserved` is promised to orders.
 */
export interface StockEffect {
  quantity: -1 | 0 | 1;
  reserved: -1 | 0 | 1;
}

/** A new order reserves its units. */
export const reserveEffect: StockEffect = { quantity: 0, reserved: 1 };

/** A new order that was paid elsewhere takes its units at once. */
export const sellEffect: StockEffect = { quantity: -1, reserved: 0 };

const commitEffect: StockEffect = { quantity: -1, reserved: -1 };
const releaseEffect: StockEffect = { quantity: 0, reserved: -1 };
const restockEffect: StockEffect = { quantity: 1, reserved: 0 };

/**
 * The fields of its event that a change of a stock changes: without an effect, one of the quantity.
 */
export const movedFields = ({ quantity, reserved }: StockEffect = restockEffect): string[] => [
  ...(quantity === 0 ? [] : ['quantity']),
  ...(reserved === 0 ? [] : ['reserved']),
  ...(quantity === reserved ? [] : ['sku.total_in_stock']),
];

const shippedStatuses = new Set<OrderStatus>(['on_carriage', 'shipment_exception', 'delivered']);

/**
 * Returns how a transition changes the stock, or `undefined` if it does not. Cancelling a paid
 * order before it is shipped restocks its units. Shipped units that come back are restocked by
 * hand.
 */
export function stockEffectOf(from: OrderStatus, to: OrderStatus): StockEffect | undefined {
  if (from === 'waiting_payment') return to === 'paid' ? commitEffect : releaseEffect;
  if (from === 'refused') return to === 'waiting_payment' ? reserveEffect : undefined;
  return to === 'cancelled' && !shippedStatuses.has(from) ? restockEffect : undefined;
}

const serializeEvent = compileSerializer(StockEventSchema);

/** Units of a SKU and the stock that they are taken from. */
export interface StockLine {
  sku: StockedSku;
  stock: Row<typeof stocks>;
  units: number;
}

type EventSku = z.input<typeof StockEventSchema>['sku']['data'];

/** Statements and events of one batch. */
export interface BatchPlan {
  statements: Statement[];
  events: StoreEvent[];
}

/**
 * Plans how an order changes the stock: one statement for any number of items, and one
 * `product.inventory.updated` per SKU. The quantities in the events are read inside the batch,
 * because concurrent orders change the same stock. If too few units are left, the batch fails with
 * a `ConflictError`; the retry reads the stock again and throws `out_of_stock`.
 */
export function planStockMove(
  db: StoreDb,
  lines: readonly StockLine[],
  effect: StockEffect,
): BatchPlan {
  if (lines.length === 0) return { statements: [], events: [] };
  return {
    statements: moveStockStatements(
      db,
      lines.map(({ stock, units }) => ({ id: stock.id, units })),
      effect,
    ),
    events: lines.map((line) => toStockMovedEvent(db, line, movedFields(effect))),
  };
}

/**
 * Returns the event of a stock that changes. The transaction itself reads its quantities, because
 * others change them too.
 */
export function toStockMovedEvent(
  db: StoreDb,
  { sku, stock }: { sku: EventSku; stock: Row<typeof stocks> },
  changed: readonly string[],
): StoreEvent {
  const fromStock = sql`from ${stocks} where ${stocks.id} = ${stock.id}`;
  return {
    name: 'product.inventory.updated',
    changed,
    resource: serializeStockEvent(db, { sku, stock }),
    stored: {
      quantity: sql`select ${stocks.quantity} ${fromStock}`,
      reserved: sql`select ${stocks.reserved} ${fromStock}`,
      min_quantity: sql`select ${stocks.min_quantity} ${fromStock}`,
      'sku.data.total_in_stock': sql`select sum(${stocks.quantity} - ${stocks.reserved})
        from ${stocks} where ${stocks.sku_id} = ${sku.id}`,
    },
  };
}

/** The resource of a stock event, with the quantities that were read. */
const serializeStockEvent = (
  db: StoreDb,
  { sku, stock }: { sku: EventSku; stock: Row<typeof stocks> },
) =>
  runInZone(db.store.zone, () =>
    serializeEvent({ ...stock, updated_at: db.now, sku: { data: sku } }),
  );

/** A change of a stock, with the stock as it was read. */
export interface MovedStock {
  stock: Row<typeof stocks> & { sku: { data: EventSku | null } };
  move: StockMove;
}

/** The events of stocks whose quantity changes. The transaction itself reads their quantities. */
export const toStockEvents = (db: StoreDb, moved: readonly MovedStock[]): EventSet => ({
  name: 'product.inventory.updated',
  events: moved.flatMap(({ stock: { sku, ...stock } }) =>
    sku.data
      ? [
          {
            key: stock.id,
            resource: serializeStockEvent(db, { sku: sku.data, stock }),
            changed: movedFields(),
          },
        ]
      : [],
  ),
  stored: {
    join: sql`join ${stocks} on ${stocks.id} = ${eventKey}`,
    members: {
      quantity: sql`${stocks.quantity}`,
      reserved: sql`${stocks.reserved}`,
      min_quantity: sql`${stocks.min_quantity}`,
      'sku.data.total_in_stock': sql`select sum(place.quantity - place.reserved)
        from ${stocks} place where place.sku_id = ${stocks.sku_id}`,
    },
  },
});

/** 409 `out_of_stock`, which names the items at these indexes of the order. */
export const outOfStockError = (indexes: readonly number[]): HttpError =>
  conflict(
    'out_of_stock',
    Object.fromEntries(
      indexes.map((index) => [`items.${index}.sku_id`, ['Not enough stock of this SKU.']]),
    ),
  );

const stockedSkuExtras = {
  ...skuExtras,
  product: toOne(products, eq(products.id, skus.product_id)),
  stocks: toMany(stocks, eq(stocks.sku_id, skus.id)),
};

const stockedSkuQuery = (db: StoreDb, where: SQL) =>
  db.select(skus, { where, extras: stockedSkuExtras }).orderBy(asc(skus.id));

/** A SKU with its product and all its stocks. */
export type StockedSku = StatementResult<ReturnType<typeof stockedSkuQuery>>[number];

/** Statement that reads SKUs by their ids. */
export const stockedSkusQuery = (db: StoreDb, ids: readonly number[]) =>
  stockedSkuQuery(db, inArray(skus.id, sql`(select value from json_each(${JSON.stringify(ids)}))`));

/** Statement that reads the current SKUs of an order; `order` is an SQL expression of its id. */
export const stockedSkusOfOrderQuery = (db: StoreDb, order: SQL) =>
  stockedSkuQuery(
    db,
    sql`${skus.id} in (select ${orderItems.sku_id} from ${orderItems} where ${orderItems.order_id} = ${order}
      and ${orderItems.store_id} = ${db.store.id})`,
  );

/**
 * Fails the batch with a `ConflictError` if the product of one of these SKUs changed after it was
 * read.
 */
export const assertSkusUnchanged = (db: StoreDb, loaded: readonly StockedSku[]) =>
  assertProductsUnchanged(
    db,
    loaded.flatMap(({ product }) =>
      product.data ? [{ id: product.data.id, revision: product.data.revision }] : [],
    ),
  );
