import { env } from 'cloudflare:workers';
import { person, place } from './people.ts';
import { store, type TestStore } from './store.ts';

/** A test store that sells: a customer with an address, SKUs with stock, and payment types that are switched on. */
export interface SellingStore extends TestStore {
  customerId: number;
  addressId: number;
  /** As many as were asked for, all with their quantity managed. */
  skuIds: number[];
  /** By alias. */
  payments: Record<string, number>;
}

/** Makes one; `quantity` is what each SKU has, `price` what it costs. */
export async function sellingStore({
  skus = 1,
  quantity = 10,
  price = 100,
  test = true,
}: {
  skus?: number;
  quantity?: number;
  price?: number;
  test?: boolean;
} = {}): Promise<SellingStore> {
  const made = await store({ withPayments: true, test });
  const brand = await made.api('POST /catalog/brands', { name: 'Brand', active: true });
  const product = await made.api('POST /catalog/products', {
    name: 'Camiseta',
    simple: skus === 1,
    active: true,
    brand_id: brand.body.data.id,
    skus: Array.from({ length: skus }, (_, index) => ({
      sku: `SKU-${index}`,
      price_sale: price,
      quantity,
      quantity_managed: true,
    })),
  });
  const listed = await made.api(`GET /catalog/products/${product.body.data.id}/skus?limit=100`);
  const customer = await made.api('POST /customers', { ...person, addresses: [place] });
  const customerId: number = customer.body.data.id;
  const addresses = await made.api(`GET /customers/${customerId}/addresses`);
  await env.STORE_0.prepare('update payment_configurations set active = 1 where store_id = ?')
    .bind(made.id)
    .run();
  const types = await made.api('GET /checkout/payments?limit=100');
  return {
    ...made,
    customerId,
    addressId: addresses.body.data[0].id,
    skuIds: listed.body.data.map(({ id }: { id: number }) => id),
    payments: Object.fromEntries(
      types.body.data.map(({ id, alias }: { id: number; alias: string }) => [alias, id]),
    ),
  };
}

/** The body of an order for one unit of every SKU. */
export const orderBody = (
  { customerId, addressId, skuIds }: SellingStore,
  more: Record<string, unknown> = {},
) => ({
  customer_id: customerId,
  shipping_address_id: addressId,
  items: skuIds.map((sku_id) => ({ sku_id, quantity: 1 })),
  ...more,
});

/** What the store has of a SKU and what of it is promised. */
export async function stockOf({ api }: TestStore, skuId: number) {
  const { body } = await api(`GET /catalog/skus/${skuId}/stocks`);
  const [{ quantity, reserved }] = body.data;
  return { quantity, reserved };
}

/** An order of one unit of each SKU, as it was answered. */
export async function placed(shop: SellingStore, more: Record<string, unknown> = {}) {
  const { body } = await shop.api('POST /orders', orderBody(shop, more));
  return body.data;
}
