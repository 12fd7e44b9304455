/**
 * `main` of the local configuration. It is the service with the inbox and the mailbox of the demo,
 * and with the demo's API key in the examples of /docs. A deployment runs `src/index.ts`, which
 * does not import the demo.
 */
import { Hono } from 'hono';
import { apiBasePath, createApp } from '../app/app.ts';
import { handleQueue } from '../app/queue-consumers.ts';
import { demoOperatorKey } from '../client/operator/call-service.ts';
import type { LocalExample } from '../docs/mount-docs.ts';
import type { AppEnv } from '../http/app-env.ts';
import { addDefaults, type Fetch, mountLazily } from '../http/mount.ts';
import { pageHeaders } from '../web/render-page.ts';
import { showUnknownPaths } from '../web/unknown-path.ts';
import { demoApiKeys, demoStores } from './seed/account-data.ts';

export { Reports } from '../app/event-reports.ts';

const [{ alias }] = demoStores;
const [{ token, secret }] = demoApiKeys;
const localExample: LocalExample = {
  alias,
  userToken: token,
  userSecretKey: secret,
  operatorToken: demoOperatorKey.token,
  operatorSecretKey: demoOperatorKey.secret,
};

const docsAreBeingBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta http-equiv="refresh" content="5">
<title>Documentation</title></head><body><main><h1>The documentation is being built</h1>
<p>It will be here in some seconds; this page looks again by itself. The API answers already.</p></main></body></html>`;

const app = new Hono<AppEnv>();
mountLazily(app, ['/demo'], async () => {
  const [{ mountInbox }, { mountMails }] = await Promise.all([
    import('./inbox/inbox-routes.tsx'),
    import('./inbox/mail-routes.tsx'),
  ]);
  const demo = addDefaults(new Hono());
  mountInbox(demo);
  mountMails(demo);
  return showUnknownPaths(demo, apiBasePath);
});
// `npm start` builds the documentation while the service answers.
for (const path of ['/docs', '/docs/*', '/openapi.json', '/openapi.yaml', '/llms.txt']) {
  app.use(path, async (c, next) => {
    const built = await c.env.ASSETS.fetch('https://assets.invalid/assets.json');
    await built.body?.cancel();
    if (built.status === 200) return next();
    const headers = { ...pageHeaders(), 'Retry-After': '5', 'Cache-Control': 'no-store' };
    return c.body(docsAreBeingBuilt, 503, headers);
  });
}
const service = createApp({ localExample });
app.all('*', (c) => service.fetch(c.req.raw, c.env, c.executionCtx));

/** The API is no path of the demo's, so its requests pass one router less. */
const fetch: Fetch = (request, env, executionContext) => {
  const isApi = new URL(request.url).pathname.startsWith(`${apiBasePath}/`);
  return (isApi ? service : app).fetch(request, env, executionContext);
};

export default {
  fetch,
  queue: handleQueue,
  async scheduled({ scheduledTime }, env) {
    const { runScheduledTasks } = await import('../app/cron.ts');
    await runScheduledTasks(env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
