import type { Context } from 'hono';
import type { ManagedStore } from '../../db/sessions.ts';
import type { StoreDb } from '../../db/store.ts';
import type { Actor } from '../../events/audit.ts';
import { storeHandle } from '../../events/store-handle.ts';
import type { Faces } from '../../http/faces.ts';
import type { Here } from '../../session/signed-in.ts';
import { managedStore } from '../managed-store.ts';
import { pathNumber } from './path-number.ts';

/** The webhook that an address names, and what is needed to work with it. */
export interface OwnWebhook {
  store: ManagedStore;
  /** Reaches this store alone. */
  db: StoreDb;
  /** The merchant, who sees every webhook of the store as a header pair does. */
  owner: Actor;
  /** As the address has it: whether the store has such a webhook is for the handle to say. */
  id: number;
}

/**
 * Opens the store of a path for whoever is signed in, if they manage it now; 404 otherwise. The only place of
 * the pages that makes a handle.
 */
export function ownWebhook(c: Context<Faces>, here: Here): OwnWebhook {
  const { alias, id } = c.req.param();
  const store = managedStore(here, alias);
  const { user } = here.person;
  return {
    store,
    db: storeHandle(c.env, store, {
      now: here.now,
      waitUntil: (work) => c.executionCtx.waitUntil(work),
    }),
    owner: { key: `session:${user.id}`, userId: user.id, clientId: null },
    id: pathNumber(id),
  };
}
