import type { Context } from 'hono';
import type { App } from '../db/apps.ts';
import { openShard } from '../db/open.ts';
import { changeApp } from '../db/partner-apps.ts';
import type { Faces } from '../http/faces.ts';
import type { Here } from '../session/signed-in.ts';
import { appPaths } from './app-paths.ts';
import { ownApp } from './own-app.ts';
import { readApp } from './read-app.ts';
import { showAppForm } from './show-app-form.tsx';
import { typedIn, typedOf, type TypedApp } from './typed-app.ts';

const page = ({ client_id, name }: App, typed: TypedApp) => ({
  action: appPaths.edit(client_id),
  back: appPaths.app(client_id),
  appName: name,
  typed,
});

/** `GET /partners/{client id}/edit`. */
export async function showEdit(c: Context<Faces>, here: Here) {
  const app = await ownApp(c, here);
  return showAppForm(c, here, page(app, typedOf(app)));
}

/** `POST /partners/{client id}/edit`: changes all that a partner says of an app. */
export async function editApp(c: Context<Faces>, here: Here, form: URLSearchParams) {
  const app = await ownApp(c, here);
  const typed = typedIn(form);
  const read = readApp(typed);
  if ('faults' in read) return showAppForm(c, here, { ...page(app, typed), faults: read.faults });
  const { client_id: clientId } = app;
  const target = { ownerId: here.person.user.id, clientId, now: here.now };
  await changeApp(openShard(c.env.DIRECTORY), target, read.values);
  return c.redirect(`${appPaths.app(clientId)}?done=saved`, 303);
}
