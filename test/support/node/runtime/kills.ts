import type { WebhookReceiver } from '../receivers/receiver.ts';
import type { KillableRuntime } from './killable-runtime.ts';

/** Creates a webhook for new products at the inbox, and a brand for the products. */
export async function subscribeInbox(runtime: KillableRuntime, inbox: WebhookReceiver) {
  const webhook = { url: inbox.url, name: 'kill', events: ['product.created'] };
  const { id } = await runtime.call('POST', '/webhooks', webhook);
  const { id: brand_id } = await runtime.call('POST', '/catalog/brands', {
    name: 'Marca',
    active: true,
  });
  return { id, product: (name: string) => ({ name, simple: true, active: true, brand_id }) };
}

/** Deliveries of a webhook that have not ended. */
export const countOpen = async (runtime: KillableRuntime, webhook: number) =>
  (await runtime.call<{ pending: number }>('GET', `/webhooks/${webhook}/stats`)).pending;

/** The ids of the events that arrived, in their order. */
export const arrivedIds = (inbox: WebhookReceiver) =>
  inbox.received.map(({ headers }) => headers['webhook-id']);
