import type { KillableRuntime } from './killable-runtime.ts';

/** A delivery as the log of its webhook shows it. */
export interface Tried {
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

/** What a store needs before {@link tried} can publish. */
export const ready = (runtime: KillableRuntime) =>
  runtime.call('POST', '/catalog/brands', { name: 'Marca', active: true });

/** The one delivery of a new webhook at `url`, once it was tried so often. */
export async function tried(runtime: KillableRuntime, url: string, times: number): Promise<Tried> {
  const webhook = { url, name: 'receiver', events: ['product.created'] };
  const { id } = await runtime.call('POST', '/webhooks', webhook);
  const product = { name: url, simple: true, active: true, brand_id: 1 };
  await runtime.call('POST', '/catalog/products', product);
  const shown = () => runtime.call<Tried>('GET', `/webhooks/${id}/deliveries/1`);
  while ((await shown()).attempts < times) await new Promise((resolve) => setTimeout(resolve, 50));
  await runtime.call('DELETE', `/webhooks/${id}`);
  return shown();
}
