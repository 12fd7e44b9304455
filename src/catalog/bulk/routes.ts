import { explainOperations, operation } from '../../http/operation.ts';
import { changeFoundPrices, changePrices } from './change-prices.ts';
import { changeStocks } from './change-stocks.ts';
import { maxItems, PricesRequest, StocksRequest } from './requests.ts';
import { pricesReply, stocksReply } from './schema.ts';

/**
 * A call counts as one request for every 25 items that it may have, so that its shard stays free
 * for other stores.
 */
const weight = maxItems / 25;

export const bulkOperations = [
  operation({
    id: 'changeStocks',
    route: 'PUT /{alias}/catalog/stocks',
    access: 'inventory.write',
    weight,
    body: StocksRequest,
    reply: stocksReply,
    errors: [422],
    run: async ({ db, body: { items, dry_run: isDryRun = false } }) => ({
      results: await changeStocks(db, items, { isDryRun }),
      isDryRun,
    }),
  }),
  operation({
    id: 'changePrices',
    route: 'PUT /{alias}/catalog/prices',
    access: 'catalog.write',
    weight,
    body: PricesRequest,
    reply: pricesReply,
    errors: [422],
    run: async ({ db, body: { items = [], dry_run: isDryRun = false, filter, ...sent } }) => ({
      results: await (filter
        ? changeFoundPrices(db, filter, { ...sent, isDryRun })
        : changePrices(db, items, { isDryRun })),
      isDryRun,
    }),
  }),
];

/* @__PURE__ */ explainOperations({
  changeStocks:
    'Up to 500 items; a call counts as twenty requests. Items are valid or failed on their own; those that are valid are stored together, each with its event. A second item of a SKU and location fails.',
  changePrices:
    'Up to 500 items, or a filter with percent or set; a call counts as twenty requests. Items are valid or failed on their own. product.updated is sent once for each product whose prices change. A second item of a SKU fails. If a call with products of more than 2,000 SKUs in all is interrupted, some of them may be changed: a repetition changes the others. A filter changes up to 500 SKUs in one transaction. If it finds more, or more than 1,000 products or 2,000 SKUs to choose from, 422. A percentage is of the price at that time, so repeat such a call with its idempotency key only. 10.5 cents become 11. A price above the largest amount fails alone.',
});
