import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { disconnectApp } from '../oauth/disconnect-app.ts';
import { paths } from '../session/paths.ts';
import type { Here } from '../session/signed-in.ts';
import { connectedApp } from './connected-app.ts';

/** Parts an app from a store: its grants end and its webhooks pause, in one batch. */
export async function disconnect(c: Context<Faces>, here: Here) {
  const { store, clientId } = await connectedApp(c, here);
  await disconnectApp(c.env, store, clientId, here.now);
  return c.redirect(`${paths.connectedApps}?done=disconnected`, 303);
}
