import { inArray } from 'drizzle-orm';
import type { Tolerated } from '../../base/codecs/tolerant.ts';
import { retryOnConflict } from '../../data/core/retry-contention.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { stocks } from '../../data/schema/store/catalog-tables.ts';
import { publishSet } from '../../webhooks/events/publish-set.ts';
import { maxQuantity } from '../skus/requests.ts';
import { skuOfStock, stockErrors } from '../skus/update-stock.ts';
import { toStockEvents, type MovedStock } from '../stock/stock.ts';
import { failed, inOrder, matchItems, namedSkus } from './match-items.ts';
import { moveQuantitiesStatements, namedSkuIds } from './named-sku-queries.ts';
import type { StockItem } from './requests.ts';

/**
 * Changes up to 500 stocks, and publishes an event for each whose quantity changes, all in one
 * transaction. So a request with deltas is repeated safely by its idempotency key. One round trip,
 * two if anything changes.
 */
export const changeStocks = (
  db: StoreDb,
  items: readonly Tolerated<StockItem>[],
  { isDryRun = false } = {},
) =>
  retryOnConflict(async () => {
    const [found] = await db.batch([
      db.select(stocks, {
        where: inArray(stocks.sku_id, namedSkuIds(db, namedSkus(items))),
        extras: { sku: skuOfStock },
      }),
    ]);
    const skus = new Map(found.flatMap(({ sku }) => (sku.data ? [[sku.data.id, sku.data]] : [])));
    const { matches, failures } = matchItems(items, [...skus.values()]);
    const stockOf = new Map(found.map((row) => [`${row.sku_id} ${row.stock_id}`, row]));
    const results = failures;
    const moved: MovedStock[] = [];
    for (const { index, item, sku } of matches) {
      const stock = stockOf.get(`${sku.id} ${item.stock_id}`);
      if (!stock) {
        results.push(
          failed(index, sku.id, { stock_id: ['The SKU has no stock at this location.'] }),
        );
        continue;
      }
      const errors = stockErrors(stock, item);
      const { quantity, delta } = item;
      const moves = quantity === undefined ? delta !== 0 : quantity !== stock.quantity;
      if (errors) results.push(failed(index, sku.id, errors));
      else {
        results.push({ index, sku_id: sku.id, status: moves ? 'changed' : 'unchanged' });
        if (moves) moved.push({ stock, move: { id: stock.id, quantity, delta } });
      }
    }
    if (moved.length > 0 && !isDryRun) {
      const moves = moved.map(({ move }) => move);
      await publishSet(
        db,
        moveQuantitiesStatements(db, moves, maxQuantity),
        toStockEvents(db, moved),
      );
    }
    return inOrder(results);
  });
