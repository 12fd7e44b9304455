import { Hono } from 'hono';
import { wake } from './events/wake.ts';
import { headings } from './headings.ts';
import type { Faces } from './http/faces.ts';
import { mountHealth } from './http/health.ts';
import { mount } from './http/mount.ts';
import { mountHeadings } from './http/mount-headings.ts';
import { mountLazily } from './http/mount-lazily.ts';
import { problemOf, refuse } from './http/refuse.ts';
import { requestLog } from './http/request-log.ts';
import { authorizePath } from './oauth/authorize-path.ts';
import { mountOauth } from './oauth/mount-oauth.ts';
import { notFound } from './problem.ts';
import { paths } from './session/paths.ts';
import { settingsOf } from './settings.ts';

/** The version is part of the base address of the API. */
export const base = '/v2';

export const app = new Hono<Faces>();

// What is loaded later comes first: those apps do for themselves what `begun` adds to the rest.
mountHeadings(app, base, headings, (sections) => {
  const rows = begun(new Hono());
  mount(rows, base, sections, wake);
  return rows;
});
mountLazily(app, [paths.session, authorizePath, paths.account, paths.partners], async () => {
  const { peoplesPages } = await import('./peoples-pages.ts');
  return begun(new Hono()).route('/', peoplesPages());
});
mountLazily(app, ['/openapi.json', '/docs', '/assets'], async () => {
  const { mountDocs } = await import('./docs/mount-docs.tsx');
  const docs = begun(new Hono());
  mountDocs(docs, base);
  return docs;
});
mountLazily(app, ['/demo'], async () => {
  const { mountInbox } = await import('./demo/inbox.tsx');
  const inbox = begun(new Hono());
  mountInbox(inbox);
  return inbox;
});
begun(app);
mountHealth(app);
mountOauth(app);

/** An app with what every answer has: a refusal of what goes wrong, a line in the log, checked settings, no caching. */
function begun(app: Hono<Faces>): Hono<Faces> {
  app.onError((error, c) => refuse(problemOf(error, c)));
  app.notFound(() => refuse(notFound()));
  app.use(requestLog);
  app.use(async (c, next) => {
    settingsOf(c.env);
    await next();
    if (!c.res.headers.has('Cache-Control')) {
      c.res.headers.set('Cache-Control', 'private, no-store');
    }
  });
  return app;
}
