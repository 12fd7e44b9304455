import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { WebhooksPage } from '../../pages/webhooks/webhooks-page.tsx';
import { includesRole } from '../../session/pages/page-roles.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { listEndpointsOfStores } from '../../webhooks/endpoints/list.ts';
import { webhookPaths } from '../paths.ts';
import { loadEndpointAppNames } from './own-webhook.ts';
import { toWebhookView } from './views.ts';

/** `GET /account/webhooks`: the webhooks of the user's stores. */
export async function showWebhooks(c: Context<AppEnv>, context: PageContext) {
  const { session, now } = context;
  const endpoints = await listEndpointsOfStores(c.env, session.stores, now);
  const appNames = await loadEndpointAppNames(c, endpoints);
  const endpointsByStore = Map.groupBy(endpoints, ({ storeId }) => storeId);
  const page = (
    <WebhooksPage
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', browserPaths.webhooks)}
      stores={session.stores.map(({ id, name, alias, zone, role }) => ({
        name,
        alias,
        zone,
        createHref: includesRole(role, 'manager') ? webhookPaths.create(alias) : undefined,
        hasRefusedEvents: (endpointsByStore.get(id) ?? []).some(
          ({ hasRefusedEvents }) => hasRefusedEvents,
        ),
        webhooks: (endpointsByStore.get(id) ?? []).map((endpoint) => ({
          ...toWebhookView(endpoint, appNames, { now }),
          href: webhookPaths.details(alias, endpoint.id),
        })),
      }))}
      docsHref="/docs/guides/webhooks"
      hasDeleted={c.req.query('done') === 'deleted'}
    />
  );
  return renderPage(c, page);
}
