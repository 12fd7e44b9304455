import type { TestStore } from '../fixtures/store.ts';

/** Creates a brand for the products of a file. */
export async function createBrand(store: TestStore): Promise<number> {
  const { body } = await store.api('POST /catalog/brands', { name: 'Sol', active: true });
  return body.id ?? body.data.id;
}

/** A line with a product of two SKUs. */
export const productLine = (n: number, brand_id: number, more: object = {}) => ({
  name: `Shirt ${n}`,
  slug: `shirt-${n}`,
  simple: false,
  active: true,
  brand_id,
  skus: [
    { sku: `S-${n}-A`, price_sale: 10 + n, quantity: n },
    { sku: `S-${n}-B`, price_sale: 20.5 },
  ],
  ...more,
});

export const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);
