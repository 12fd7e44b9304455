import { HttpError, notFound } from '../../base/errors.ts';
import { findAppNames } from '../../data/directory/apps.ts';
import type { SignedInPage } from '../../web/page.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import {
  listEndpointsOfStores,
  type MerchantEndpoint,
} from '../../webhooks/endpoints/list-endpoints.ts';
import { openOwnStore, type OwnStore } from '../open-own-store.ts';

/**
 * Opens the store with the webhook that the path names, which is not checked. Throws 404 for an id
 * that is none.
 */
export const openOwnWebhook = (page: SignedInPage): OwnStore & { id: number } => ({
  ...openOwnStore(page),
  id: page.id('id'),
});

/**
 * Loads the webhook of the path with its health, in one round trip. Throws 404 when the store has
 * none with this id.
 */
export async function requireEndpoint(page: SignedInPage) {
  const { env, store, now } = page;
  const id = page.id('id');
  const endpoints = await listEndpointsOfStores(env, [store], now);
  const endpoint = endpoints.find((candidate) => candidate.id === id);
  if (!endpoint) throw notFound();
  return endpoint;
}

/**
 * Loads the names of the apps that created these webhooks. One round trip, or none without such a
 * webhook.
 */
export const loadEndpointAppNames = (
  { directory, language }: SignedInPage,
  endpoints: readonly MerchantEndpoint[],
) =>
  findAppNames(
    directory,
    [...new Set(endpoints.flatMap(({ clientId }) => clientId ?? []))],
    language,
  );

/** The parameters of a ping. */
export const sendingOf = ({ settings }: SignedInPage) => ({ settings, deps: defaultDeliveryDeps });

/** Whether the ping was rejected because the store had one less than ten seconds ago. */
export const isPingThrottled = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 429;
