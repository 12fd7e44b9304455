import { Hono } from 'hono';
import { mountAccount } from './account/mount-account.ts';
import { mountInbox } from './demo/inbox.tsx';
import { mountDocs } from './docs/mount-docs.tsx';
import { wake } from './events/wake.ts';
import type { Faces } from './http/faces.ts';
import { mount } from './http/mount.ts';
import { problemOf, refuse } from './http/refuse.ts';
import { requestLog } from './http/request-log.ts';
import { mountHealth } from './http/health.ts';
import { mountAuthorize } from './oauth/mount-authorize.ts';
import { mountOauth } from './oauth/mount-oauth.ts';
import { sections } from './operations.ts';
import { mountPartners } from './partners/mount-partners.ts';
import { notFound } from './problem.ts';
import { browserPages } from './session/browser-pages.ts';
import { mountSession } from './session/mount-session.ts';
import { settingsOf } from './settings.ts';

/** The version is part of the base address of the API. */
export const base = '/v2';

export const app = new Hono<Faces>();

app.onError((error, c) => refuse(problemOf(error, c)));
app.notFound(() => refuse(notFound()));
app.use(requestLog);
app.use(async (c, next) => {
  settingsOf(c.env);
  await next();
  if (!c.res.headers.has('Cache-Control')) c.res.headers.set('Cache-Control', 'private, no-store');
});
mountHealth(app);
mountInbox(app);
mountDocs(app, base);
mountOauth(app);
app.route('/', peoplesPages());
mount(app, base, sections, wake);

function peoplesPages() {
  const pages = browserPages();
  mountSession(pages);
  mountAuthorize(pages);
  mountAccount(pages);
  mountPartners(pages);
  return pages;
}
