import type { Context } from 'hono';
import { appNames } from '../db/app-names.ts';
import { openShard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import { notFound } from '../problem.ts';
import type { Here } from '../session/signed-in.ts';
import { managedStore } from './managed-store.ts';

/**
 * The store and the app of a path. Throws 404 for a store that whoever is signed in does not manage, and for
 * an app that does not exist.
 */
export async function connectedApp(c: Context<Faces>, here: Here) {
  const { alias, clientId = '' } = c.req.param();
  const store = managedStore(here, alias);
  const app = (await appNames(openShard(c.env.DIRECTORY), [clientId])).get(clientId);
  if (!app) throw notFound();
  return { store, app, clientId };
}
