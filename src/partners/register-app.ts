import type { Context } from 'hono';
import { openShard } from '../db/open.ts';
import { addApp } from '../db/partner-apps.ts';
import type { Faces } from '../http/faces.ts';
import { newClientId } from '../oauth/client-id.ts';
import { paths } from '../session/paths.ts';
import type { Here } from '../session/signed-in.ts';
import { settingsOf } from '../settings.ts';
import { appPaths } from './app-paths.ts';
import { readApp } from './read-app.ts';
import { showAppForm } from './show-app-form.tsx';
import { typedIn, type TypedApp } from './typed-app.ts';

const page = (typed: TypedApp) => ({ action: appPaths.register, back: paths.partners, typed });

/** `GET /partners/new`. */
export const showRegister = (c: Context<Faces>, here: Here) =>
  showAppForm(c, here, page(typedIn(new URLSearchParams())));

/** `POST /partners/new`: registers an app, which is a draft at first, and gives it its client id. */
export async function registerApp(c: Context<Faces>, here: Here, form: URLSearchParams) {
  const typed = typedIn(form);
  const read = readApp(typed);
  if ('faults' in read) return showAppForm(c, here, { ...page(typed), faults: read.faults });
  const clientId = await newClientId(settingsOf(c.env));
  const made = { ownerId: here.person.user.id, clientId, now: here.now };
  const isAdded = await addApp(openShard(c.env.DIRECTORY), made, read.values);
  if (!isAdded) return showAppForm(c, here, { ...page(typed), faults: [{ kind: 'tooMany' }] });
  return c.redirect(`${appPaths.app(clientId)}?done=registered`, 303);
}
