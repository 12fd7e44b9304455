import { pair } from './store.ts';
import { person, place } from '../people.ts';

/** Calls a row of the one store of a runtime; throws unless it answers one of the statuses that are expected. */
export const caller =
  (base: string, expected: readonly number[] = [200, 201]) =>
  async (request: string, body?: unknown) => {
    const [method = '', path = ''] = request.split(' ');
    const response = await fetch(`${base}v2/bench${path}`, {
      method,
      headers: { ...pair, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = await response.json();
    if (!expected.includes(response.status)) {
      throw new Error(`${request}: ${response.status} ${JSON.stringify(answer)}`);
    }
    // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
    return { status: response.status, body: answer as any };
  };

/** A SKU with so many units, and a customer with an address: what an order needs. */
export async function readyToSell(api: ReturnType<typeof caller>, quantity: number) {
  const brand = await api('POST /catalog/brands', { name: 'Brand', active: true });
  const product = await api('POST /catalog/products', {
    name: 'Camiseta',
    simple: true,
    active: true,
    brand_id: brand.body.data.id,
    skus: [{ sku: 'ONE', price_sale: 10, quantity, quantity_managed: true }],
  });
  const skus = await api(`GET /catalog/products/${product.body.data.id}/skus`);
  const customer = await api('POST /customers', { ...person, addresses: [place] });
  const addresses = await api(`GET /customers/${customer.body.data.id}/addresses`);
  return {
    skuId: skus.body.data[0].id as number,
    order: {
      customer_id: customer.body.data.id,
      shipping_address_id: addresses.body.data[0].id,
      items: [{ sku_id: skus.body.data[0].id, quantity: 1 }],
    },
  };
}
