import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { WebhooksPage } from '../../pages/webhooks/webhooks-page.tsx';
import { browserPaths } from '../../session/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/render-page.ts';
import type { PageContext } from '../../session/user-pages.ts';
import { listEndpointsOfStores } from '../../webhooks/endpoints/list.ts';
import { webhookPaths } from '../paths.ts';
import { loadEndpointAppNames } from './own-webhook.ts';
import { toWebhookView } from './views.ts';

/** `GET /account/webhooks`: the webhooks of the user's stores. */
export async function showWebhooks(c: Context<AppEnv>, { session, now }: PageContext) {
  const endpoints = await listEndpointsOfStores(c.env, session.stores, now);
  const appNames = await loadEndpointAppNames(c, endpoints);
  const endpointsByStore = Map.groupBy(endpoints, ({ storeId }) => storeId);
  const page = (
    <WebhooksPage
      dashboard={buildDashboardLayoutProps(c, 'webhooks', browserPaths.webhooks)}
      stores={session.stores.map(({ id, name, alias, zone }) => ({
        name,
        alias,
        zone,
        hasRefusedEvents: (endpointsByStore.get(id) ?? []).some(
          ({ hasRefusedEvents }) => hasRefusedEvents,
        ),
        webhooks: (endpointsByStore.get(id) ?? []).map((endpoint) => ({
          ...toWebhookView(endpoint, appNames, now),
          href: webhookPaths.details(alias, endpoint.id),
        })),
      }))}
      docsHref="/docs/guides/webhooks"
    />
  );
  return renderPage(c, page);
}
