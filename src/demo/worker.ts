/**
 * `main` of the local configuration: the service with the inbox and the mailbox of the demo, and with the demo's API key in
 * the examples of /docs. A deployment runs `src/index.ts`, which does not import the demo.
 */
import { Hono } from 'hono';
import { apiBasePath, createApp } from '../app.ts';
import type { LocalExample } from '../docs/mount-docs.ts';
import type { AppEnv } from '../http/app-env.ts';
import { addDefaults } from '../http/defaults.ts';
import { mountLazily } from '../http/lazy-routes.ts';
import service from '../index.ts';
import { showUnknownPaths } from '../unknown-path.ts';
import { demoApiKeys, demoStores } from './data/people.ts';

export { Reports } from '../platform/reports.ts';

const [{ alias }] = demoStores;
const [{ token, secret }] = demoApiKeys;
const localExample: LocalExample = {
  alias,
  userToken: token,
  userSecretKey: secret,
};

const app = new Hono<AppEnv>();
mountLazily(app, ['/demo'], async () => {
  const [{ mountInbox }, { mountMails }] = await Promise.all([
    import('./inbox/routes.tsx'),
    import('./mail/routes.tsx'),
  ]);
  const demo = addDefaults(new Hono());
  mountInbox(demo);
  mountMails(demo);
  return showUnknownPaths(demo, apiBasePath);
});
const serviceWithExample = createApp({ localExample });
app.all('*', (c) => serviceWithExample.fetch(c.req.raw, c.env, c.executionCtx));

export default { ...service, fetch: app.fetch } satisfies ExportedHandler<Env>;
