import type { StoreDb } from '../data/core/store-db.ts';
import type { SignedInPage } from '../web/page.ts';
import { createStoreHandle } from '../webhooks/create-store-handle.ts';
import type { Actor } from '../webhooks/endpoints/audit-endpoint.ts';

/** The handle and the actor to work on a store. */
export interface OwnStore {
  /** Reads and writes only this store. */
  db: StoreDb;
  /** The signed-in user, who sees every webhook of the store, as an API key does. */
  actor: Actor;
}

/**
 * Opens the store of the page for the signed-in user. No other code of the pages changes a store.
 */
export function openOwnStore(page: SignedInPage): OwnStore {
  const { env, store, now, action, user } = page;
  return {
    db: createStoreHandle(env, store, { now, by: action, waitUntil: (work) => page.defer(work) }),
    actor: { key: `session:${user.id}`, userId: user.id, clientId: null },
  };
}
