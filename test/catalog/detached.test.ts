import { getTableName } from 'drizzle-orm';
import { getTableConfig, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import type { StoreTable } from '../../src/data/core/store-table.ts';
import { dependantsOf } from '../../src/data/queries/detached.ts';
import { schemaTables } from '../../src/data/shards/moved-tables.ts';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';

/**
 * References to a record that a deletion need not count: its own parts, what it lists itself, and
 * records that no operation deletes.
 */
const parts = new Set([
  'skus.product_id',
  'stocks.sku_id',
  'product_images.product_id',
  'filter_values.filter_id',
  'bundle_items.bundle_id',
  'customization_products.customization_id',
  'flag_rules.flag_id',
  'collection_rules.collection_id',
  'cart_items.cart_id',
  // An answer of the store to a comment.
  'product_comments.comment_id',
  // To delete a customer is to erase a person: what goes with them is not for others to read.
  'addresses.customer_id',
  'carts.customer_id',
  'transfer_errors.transfer_id',
  // Subscriptions of a webhook.
  'webhook_subscriptions.endpoint_id',
]);

/** Tables with records that no operation deletes. */
const kept = new Set(['orders', 'payments', 'affiliations', 'transactions']);

const columnOf = (column: { name: string; table: SQLiteTable }) =>
  `${getTableName(column.table)}.${column.name}`;

it('every reference to a record that can be deleted is counted, or belongs to the record', () => {
  const missing = [...schemaTables.values()].flatMap((table) =>
    getTableConfig(table).foreignKeys.flatMap((key) => {
      const { columns, foreignTable } = key.reference();
      const name = columnOf({ name: columns[0]!.name, table });
      const counted = dependantsOf.get(foreignTable as StoreTable) ?? [];
      const isCounted = counted.some(([, column]) => columnOf(column) === name);
      return isCounted || parts.has(name) || kept.has(getTableName(foreignTable)) ? [] : [name];
    }),
  );
  expect(missing).toEqual([]);
});

const warningOf = async (shop: TestStore, request: string) => {
  const { status, headers } = await shop.api(request);
  return [status, headers.get('X-Warning')];
};

describe('X-Warning of a deletion', () => {
  it('says how many products lose a brand, and costs one round trip', async () => {
    const shop = await createTestStore();
    const make = async (path: string, body: object) =>
      (await shop.api(`POST /catalog/${path}`, body)).body.data.id as number;
    const brand = await make('brands', { name: 'Marca', active: true });
    for (let n = 0; n < 5; n += 1) {
      await make('products', { name: `p${n}`, simple: true, active: true, brand_id: brand });
    }
    const warning = 'What referred to the deleted record lost it: products 5';
    const path = `DELETE /catalog/brands/${brand}`;
    const unused = await make('brands', { name: 'Outra', active: true });
    const { data } = await measureRequest(shop, `DELETE /catalog/brands/${unused}`);
    expect(data.roundTrips).toBe(1);
    expect(await warningOf(shop, path)).toEqual([200, warning]);
    expect(await warningOf(shop, path)).toEqual([404, null]);
    const other = await make('brands', { name: 'Mais uma', active: true });
    expect(await warningOf(shop, `DELETE /catalog/brands/${other}`)).toEqual([200, null]);
  });

  it('names what loses a category and a product', async () => {
    const shop = await createTestStore();
    const make = async (path: string, body: object) => {
      const { body: made } = await shop.api(`POST /catalog/${path}`, body);
      const { id } = made.data ?? made;
      if (typeof id !== 'number') throw new Error(JSON.stringify(made));
      return id;
    };
    const parent = await make('categories', { name: 'Pai', active: true });
    const brand = await make('brands', { name: 'Marca', active: true });
    const product = await make('products', {
      name: 'p',
      simple: true,
      active: true,
      brand_id: brand,
    });
    await make('categories', { name: 'Filha', active: true, parent_id: parent });
    await shop.api(`PUT /catalog/categories/${parent}/products`, { product_ids: [product] });
    expect(await warningOf(shop, `DELETE /catalog/categories/${parent}`)).toEqual([
      200,
      'What referred to the deleted record lost it: products 1, categories below it 1',
    ]);
    const again = await make('categories', { name: 'Outra', active: true });
    await shop.api(`PUT /catalog/categories/${again}/products`, { product_ids: [product] });
    expect(await warningOf(shop, `DELETE /catalog/products/${product}`)).toEqual([
      200,
      'What referred to the deleted record lost it: categories 1',
    ]);
  });
});
