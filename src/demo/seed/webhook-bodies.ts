import { eq, inArray } from 'drizzle-orm';
import { formatLocalTime } from '../../codecs/time/local-time.ts';
import { toStockMovedEvent } from '../../commerce/stock/move.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { toOne } from '../../db/query/relations.ts';
import { products, skus, stocks } from '../../db/schema/store/catalog.ts';
import type { StoreEvent } from '../../events/publish.ts';
import { toProductEvent } from '../../resources/products/events.ts';
import { productRelations } from '../../schemas/catalog/product.ts';
import { skuExtras } from '../../schemas/catalog/sku.ts';
import type { DeliverySeed } from '../data/webhook-log.ts';

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
