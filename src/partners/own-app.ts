import type { Context } from 'hono';
import { openDatabase } from '../db/core/open.ts';
import { type App, findOwnApp } from '../db/directory/apps.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import type { PageContext } from '../session/user-pages.ts';

/** Loads the app of the path. Throws 404 unless it belongs to the user. */
export async function requireOwnApp(c: Context<AppEnv>, { session }: PageContext): Promise<App> {
  const { clientId = '' } = c.req.param();
  const app = await findOwnApp(openDatabase(c.env.DIRECTORY), session.user.id, clientId);
  if (!app) throw notFound();
  return app;
}
