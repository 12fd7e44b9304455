import type { Context } from 'hono';
import { endpointsOfStores } from '../../events/endpoints-of-stores.ts';
import type { Faces } from '../../http/faces.ts';
import { notFound } from '../../problem.ts';
import type { OwnWebhook } from './own-webhook.ts';

/** A webhook with its health. Throws 404 when the store has none with this id. One round trip. */
export async function ownEndpoint(c: Context<Faces>, { store, id }: OwnWebhook) {
  const endpoint = (await endpointsOfStores(c.env, [store])).find((one) => one.id === id);
  if (!endpoint) throw notFound();
  return endpoint;
}
