import type { KillableRuntime } from '../runtime/killable-runtime.ts';

/** A delivery with its attempts, as the API returns it. */
export interface DeliveryWithLog {
  state: string;
  attempts: number;
  code: number | null;
  error: string | null;
  duration_ms: number | null;
  log: {
    data: {
      code: number | null;
      error: string | null;
      duration_ms: number;
      response_headers: Record<string, string> | null;
      response_body: { text: string; encoding: string; truncated: boolean } | null;
    }[];
  };
}

/** Creates the brand that the products of `deliverTo` need. */
export const seedBrand = (runtime: KillableRuntime) =>
  runtime.call('POST', '/catalog/brands', { name: 'Marca', active: true });

/**
 * Creates a webhook at `url`, publishes one event, and returns its delivery after `attempts`
 * attempts.
 */
export async function deliverTo(
  runtime: KillableRuntime,
  url: string,
  attempts: number,
): Promise<DeliveryWithLog> {
  const webhook = { url, name: 'receiver', events: ['product.created'] };
  const { id } = await runtime.call('POST', '/webhooks', webhook);
  const product = { name: url, simple: true, active: true, brand_id: 1 };
  await runtime.call('POST', '/catalog/products', product);
  const getDelivery = () => runtime.call<DeliveryWithLog>('GET', `/webhooks/${id}/deliveries/1`);
  while ((await getDelivery()).attempts < attempts) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await runtime.call('DELETE', `/webhooks/${id}`);
  return getDelivery();
}
