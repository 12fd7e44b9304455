import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import type { StoreDb } from '../../db/core/store-db.ts';
import { findAppNames } from '../../db/directory/apps.ts';
import type { ManagedStore } from '../../db/directory/sessions.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import type { Actor } from '../../webhooks/endpoints/audit.ts';
import { listEndpointsOfStores, type MerchantEndpoint } from '../../webhooks/endpoints/list.ts';
import { createStoreHandle } from '../../webhooks/queue/wake.ts';
import { requireManagedStore, parsePathNumber } from '../path-parameters.ts';

/** The store that the path names, with the handle and the actor to work on its webhooks. */
interface OwnStore {
  store: ManagedStore;
  /** Reads and writes only this store. */
  db: StoreDb;
  /** The signed-in user, who sees every webhook of the store, as an API key does. */
  actor: Actor;
}

/** The webhook that the path names. */
export interface OwnWebhook extends OwnStore {
  /** From the path; not checked against the store. */
  id: number;
}

/**
 * Opens the store of the path for the signed-in user. Throws 404 unless they manage it at this moment. No other
 * code of the pages creates a store handle.
 */
export function openStore(c: Context<AppEnv>, context: PageContext): OwnStore {
  const store = requireManagedStore(context, c.req.param('alias'));
  const { user } = context.session;
  return {
    store,
    db: createStoreHandle(c.env, store, {
      now: context.now,
      by: pageDeed(c, context),
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    }),
    actor: { key: `session:${user.id}`, userId: user.id, clientId: null },
  };
}

/** The same with the webhook that the path names. Throws 404 for an id that is none. */
export const openOwnWebhook = (c: Context<AppEnv>, context: PageContext): OwnWebhook => ({
  ...openStore(c, context),
  id: parsePathNumber(c.req.param('id')),
});

/** Loads a webhook with its health, in one round trip. Throws 404 when the store has none with this id. */
export async function requireEndpoint(c: Context<AppEnv>, { store, id, db }: OwnWebhook) {
  const endpoint = (await listEndpointsOfStores(c.env, [store], db.now)).find(
    (candidate) => candidate.id === id,
  );
  if (!endpoint) throw notFound();
  return endpoint;
}

/** Loads the names of the apps that created these webhooks. One round trip, or none without such a webhook. */
export const loadEndpointAppNames = (c: Context<AppEnv>, endpoints: readonly MerchantEndpoint[]) =>
  findAppNames(openDatabase(c.env.DIRECTORY), [
    ...new Set(endpoints.flatMap(({ clientId }) => clientId ?? [])),
  ]);
