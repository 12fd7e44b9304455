import { sampleCustomer, sampleAddress } from '../../fixtures/sample-data.ts';
import { apiKeyHeadersOf } from './seed-store.ts';

/**
 * Returns a client for a store of a runtime; it throws unless the response has an expected status.
 */
export const createCaller =
  (base: string, expected: readonly number[] = [200, 201, 204], alias = 'bench') =>
  async (request: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    const response = await fetch(`${base}v2/${alias}${path}`, {
      method,
      headers: {
        ...apiKeyHeadersOf(alias),
        'Content-Type': 'application/json',
        // The runtime closes an idle connection after five seconds, perhaps while a busy machine
        // sends on it.
        Connection: 'close',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const result: unknown = text === '' ? undefined : JSON.parse(text);
    if (!expected.includes(response.status)) {
      throw new Error(`${request}: ${response.status} ${JSON.stringify(result)}`);
    }
    // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
    return { status: response.status, body: result as any };
  };

/** Creates what an order needs: a SKU with `quantity` units, and a customer with an address. */
export async function seedSellableSku(api: ReturnType<typeof createCaller>, quantity: number) {
  const brand = await api('POST /catalog/brands', { name: 'Brand', active: true });
  const product = await api('POST /catalog/products', {
    name: 'Camiseta',
    simple: true,
    active: true,
    brand_id: brand.body.data.id,
    skus: [{ sku: 'ONE', price_sale: 10, quantity, quantity_managed: true }],
  });
  const skus = await api(`GET /catalog/products/${product.body.data.id}/skus`);
  const customer = await api('POST /customers', { ...sampleCustomer, addresses: [sampleAddress] });
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
