import { explainOperations, operation } from '../../http/operation.ts';
import { dataList } from '../../http/replies.ts';
import { changePrices } from './change-prices.ts';
import { changeStocks } from './change-stocks.ts';
import { maxItems, PricesRequest, StocksRequest } from './requests.ts';
import { BulkResultSchema } from './schema.ts';

/** A call counts as one request for every 25 items that it may have, so that its shard stays free for other stores. */
const weight = maxItems / 25;

export const bulkOperations = [
  operation({
    id: 'changeStocks',
    route: 'PUT /{alias}/catalog/stocks',
    access: 'inventory.write',
    weight,
    body: StocksRequest,
    reply: dataList(BulkResultSchema),
    errors: [422],
    run: ({ db, body }) => changeStocks(db, body.items),
  }),
  operation({
    id: 'changePrices',
    route: 'PUT /{alias}/catalog/prices',
    access: 'catalog.write',
    weight,
    body: PricesRequest,
    reply: dataList(BulkResultSchema),
    errors: [422],
    run: ({ db, body }) => changePrices(db, body.items),
  }),
];

/* @__PURE__ */ explainOperations({
  changeStocks:
    'Up to 500 items; a call counts as twenty requests. Items are valid or failed on their own; those that are valid are stored together, each with its event. A second item of a SKU and location fails.',
  changePrices:
    'Up to 500 items; a call counts as twenty requests. Items are valid or failed on their own. product.updated is sent once for each product whose prices change. A second item of a SKU fails. If a call with products of more than 2,000 SKUs in all is interrupted, some of them may be changed: a repetition changes the others.',
});
