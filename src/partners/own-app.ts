import type { Context } from 'hono';
import type { App } from '../db/apps.ts';
import { openShard } from '../db/open.ts';
import { findOwnApp } from '../db/partner-apps.ts';
import type { Faces } from '../http/faces.ts';
import { notFound } from '../problem.ts';
import type { Here } from '../session/signed-in.ts';

/** The app of a path. Throws 404 when it is not one of whoever is signed in. */
export async function ownApp(c: Context<Faces>, { person }: Here): Promise<App> {
  const { clientId = '' } = c.req.param();
  const app = await findOwnApp(openShard(c.env.DIRECTORY), person.user.id, clientId);
  if (!app) throw notFound();
  return app;
}
