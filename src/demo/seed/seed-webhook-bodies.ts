import { eq, inArray } from 'drizzle-orm';
import { toProductEvent } from '../../api/products/events.ts';
import { productRelations } from '../../api/products/schema.ts';
import { skuExtras } from '../../api/skus/schema.ts';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import { toStockMovedEvent } from '../../commerce/stock/move.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { toOne } from '../../data/queries/relations.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import type { DeliverySeed } from './webhook-log-data.ts';

/**
 * Builds the body of each delivery from the products of the store, as `publish` does for a change at `at` (epoch
 * milliseconds).
 */
export async function buildBodies(
  db: StoreDb,
  deliveries: readonly (DeliverySeed & { at: number })[],
): Promise<string[]> {
  const names = deliveries.map(({ product }) => product);
  const [productRows, stockRows] = await db.batch([
    db.select(products, { where: inArray(products.name, names), extras: productRelations }),
    db.select(stocks, { extras: { sku: toOne(skus, eq(skus.id, stocks.sku_id), skuExtras) } }),
  ]);
  return deliveries.map(({ event, product: name, at }) => {
    const product = productRows.find((row) => row.name === name);
    const stock = stockRows.find(({ product_id: id }) => id === product?.id);
    const sku = stock?.sku.data;
    if (!product || !sku) throw new Error(`no product ${name}`);
    const { resource }: StoreEvent =
      event === 'product.inventory.updated'
        ? toStockMovedEvent(db, { sku, stock })
        : toProductEvent(db, event, product);
    const { id, alias, zone } = db.store;
    return JSON.stringify({
      event,
      time: formatLocalTime(at, zone),
      merchant: { id, alias },
      resource,
    });
  });
}
