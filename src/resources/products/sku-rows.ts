import { eq } from 'drizzle-orm';
import { products, skus, stocks } from '../../db/schema/store.ts';
import { operation } from '../../http/operation.ts';
import { data, nothing, page } from '../../http/replies.ts';
import { listing } from '../../wire/listing.ts';
import { Sku, Stock } from '../shapes/product.ts';
import { stockTotal } from '../shapes/product-reading.ts';
import { NewSku, SkuChanges } from './requests.ts';
import { addSku, deleteSku, updateSku } from './sku-changes.ts';
import { changeStock, StockChanges } from './stock-changes.ts';

const skuList = listing({
  sort: ['sku'],
  search: { sku: 'text', blocked_sale: 'bool' },
});

const stockList = listing({ sort: ['stock_id', 'quantity'], perPage: 100 });

export const skuOperations = [
  operation({
    id: 'listProductSkus',
    route: 'GET /{alias}/catalog/products/{id}/skus',
    access: 'catalog.read',
    query: skuList,
    reply: page(Sku),
    rejects: [404],
    run: ({ db, ids, query }) =>
      db.pageUnder(products, ids.id, skus, query, {
        where: eq(skus.product_id, ids.id),
        extras: stockTotal,
      }),
  }),
  operation({
    id: 'createProductSku',
    route: 'POST /{alias}/catalog/products/{id}/skus',
    access: 'catalog.write',
    body: NewSku,
    reply: data(201, Sku),
    rejects: [404, 422],
    note: 'A SKU has a stock of its own from the start; quantity is what is in it. A product has at most 100 SKUs.',
    run: ({ db, ids, body }) => addSku(db, ids.id, body),
  }),
  operation({
    id: 'showSku',
    route: 'GET /{alias}/catalog/skus/{id}',
    access: 'catalog.read',
    reply: data(200, Sku),
    rejects: [404],
    run: ({ db, ids }) => db.find(skus, ids.id, stockTotal),
  }),
  operation({
    id: 'updateSku',
    route: 'PUT /{alias}/catalog/skus/{id}',
    access: 'catalog.write',
    body: SkuChanges,
    reply: data(200, Sku),
    rejects: [404, 422],
    run: ({ db, ids, body }) => updateSku(db, ids.id, body),
  }),
  operation({
    id: 'deleteSku',
    route: 'DELETE /{alias}/catalog/skus/{id}',
    access: 'catalog.write',
    reply: nothing(),
    rejects: [404],
    run: ({ db, ids }) => deleteSku(db, ids.id),
  }),
  operation({
    id: 'listSkuStocks',
    route: 'GET /{alias}/catalog/skus/{id}/stocks',
    access: 'inventory.read',
    query: stockList,
    reply: page(Stock),
    rejects: [404],
    run: ({ db, ids, query }) =>
      db.pageUnder(skus, ids.id, stocks, query, { where: eq(stocks.sku_id, ids.id) }),
  }),
  operation({
    id: 'updateSkuStock',
    route: 'PUT /{alias}/catalog/skus/{id}/stocks/{stockId}',
    access: 'inventory.write',
    body: StockChanges,
    reply: data(200, Stock),
    rejects: [404, 409, 422],
    note: 'stockId is the stock_id of the row, the place; every SKU has place 1. A quantity below what is reserved is refused.',
    run: ({ db, ids, body }) => changeStock(db, ids, body),
  }),
];
