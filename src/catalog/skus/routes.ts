import { eq } from 'drizzle-orm';
import { listing } from '../../base/codecs/listing/listing.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data, deleted, page } from '../../http/replies.ts';
import { createSku, deleteSku, updateSku } from './commands.ts';
import { NewSku, SkuChanges, StockChanges } from './requests.ts';
import { SkuSchema, StockSchema, skuExtras } from './schema.ts';
import { updateStock } from './update-stock.ts';

const skuList = listing({
  sort: ['sku'],
  search: { sku: 'code', blocked_sale: 'bool' },
});

const stockList = listing({ sort: ['stock_id', 'quantity'], perPage: 100 });

export const skuOperations = [
  operation({
    id: 'listProductSkus',
    route: 'GET /{alias}/catalog/products/{id}/skus',
    access: 'catalog.read',
    query: skuList,
    hasListTag: true,
    reply: page(SkuSchema),
    errors: [404],
    run: ({ db, ids, query }) =>
      db.pageOfParent(products, ids.id, skus, query, {
        where: eq(skus.product_id, ids.id),
        extras: skuExtras,
      }),
  }),
  operation({
    id: 'createProductSku',
    route: 'POST /{alias}/catalog/products/{id}/skus',
    access: 'catalog.write',
    body: NewSku,
    reply: data(201, SkuSchema),
    errors: [404, 422],
    run: ({ db, ids, body }) => createSku(db, ids.id, body),
  }),
  operation({
    id: 'showSku',
    route: 'GET /{alias}/catalog/skus/{id}',
    access: 'catalog.read',
    reply: data(200, SkuSchema),
    errors: [404],
    run: ({ db, ids }) => db.find(skus, ids.id, skuExtras),
  }),
  operation({
    id: 'updateSku',
    route: 'PUT /{alias}/catalog/skus/{id}',
    access: 'catalog.write',
    body: SkuChanges,
    reply: data(200, SkuSchema),
    errors: [404, 422],
    run: ({ db, ids, body }) => updateSku(db, ids.id, body),
  }),
  operation({
    id: 'deleteSku',
    route: 'DELETE /{alias}/catalog/skus/{id}',
    access: 'catalog.write',
    reply: deleted(),
    errors: [404],
    run: ({ db, ids }) => deleteSku(db, ids.id),
  }),
  operation({
    id: 'listSkuStocks',
    route: 'GET /{alias}/catalog/skus/{id}/stocks',
    access: 'inventory.read',
    query: stockList,
    reply: page(StockSchema),
    errors: [404],
    run: ({ db, ids, query }) =>
      db.pageOfParent(skus, ids.id, stocks, query, { where: eq(stocks.sku_id, ids.id) }),
  }),
  operation({
    id: 'updateSkuStock',
    route: 'PUT /{alias}/catalog/skus/{id}/stocks/{stockId}',
    access: 'inventory.write',
    body: StockChanges,
    reply: data(200, StockSchema),
    errors: [404, 409, 422],
    run: ({ db, ids, body }) => updateStock(db, ids, body),
  }),
];

/* @__PURE__ */ explainOperations({
  deleteSku: 'X-Warning says how many items of carts and bundles go with it.',
  createProductSku:
    'Every SKU starts with one stock, which holds quantity. A product has at most 100 SKUs. Texts of a SKU are short (sku and erp_id 60 characters, title 120, barcode 30, 5 variations of 30 and 50), because each event of the product holds them all.',
  updateSkuStock:
    'stockId is the stock_id of the stock, its location; every SKU has location 1. A quantity below the reserved quantity returns 422.',
});
