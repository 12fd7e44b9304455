import { describe, expect, it } from 'vitest';
import { nameMethod } from '../../src/http/openapi/names.ts';

describe('nameMethod', () => {
  it.each([
    ['Brands', 'listBrands', 'brands.list'],
    ['Categories', 'createCategory', 'categories.create'],
    ['Categories', 'copyCategoryProducts', 'categories.copyProducts'],
    ['Filter values', 'updateFilterValue', 'filterValues.update'],
    ['SKUs and stock', 'listProductSkus', 'skus.list'],
    ['SKUs and stock', 'updateSkuStock', 'skus.updateStock'],
    ['Addresses of customers', 'listCustomerAddresses', 'addresses.list'],
    ['Webhooks', 'updateOrderWebhook', 'webhooks.updateOrderWebhook'],
    ['Webhook maintenance', 'rotateWebhookSecret', 'webhooks.rotateSecret'],
    ['Carts', 'remindOfCart', 'carts.remind'],
    ['User', 'showMe', 'user.show'],
    ['Imports', 'listImportErrors', 'imports.listErrors'],
    ['Bulk changes', 'changeStocks', 'bulkChanges.changeStocks'],
  ])('finds the operation %s %s at shop.%s', (tag, id, expected) => {
    const { group, method } = nameMethod(tag, id);
    expect(`${group}.${method}`).toBe(expected);
  });
});
