import type { Context } from 'hono';
import { openDatabase } from '../db/core/open.ts';
import { findOwnApp, type OwnApp } from '../db/directory/apps.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import type { PageContext } from '../session/pages/user-pages.ts';

/** Loads the app of the path. Throws 404 unless it belongs to the user, or to a partner whose team the user is in. */
export async function requireOwnApp(c: Context<AppEnv>, { session }: PageContext): Promise<OwnApp> {
  const { clientId = '' } = c.req.param();
  const app = await findOwnApp(openDatabase(c.env.DIRECTORY), session.user.id, clientId);
  if (!app) throw notFound();
  return app;
}
