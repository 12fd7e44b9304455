import { includesRole, Role } from '../../base/roles.ts';
import type { SignedInPage } from '../../web/page.ts';
import { webhookPaths } from '../../web/paths.ts';
import { listEndpointsOfStores } from '../../webhooks/endpoints/list-endpoints.ts';
import { loadEndpointAppNames } from './own-webhook.ts';
import { toWebhookView } from './views.ts';
import { WebhooksPage } from './webhooks-page.tsx';

/** `GET /account/webhooks`: the webhooks of the user's stores. */
export async function showWebhooks(page: SignedInPage) {
  const { env, session, now } = page;
  const endpoints = await listEndpointsOfStores(env, session.stores, now);
  const appNames = await loadEndpointAppNames(page, endpoints);
  const endpointsByStore = Map.groupBy(endpoints, ({ storeId }) => storeId);
  return (
    <WebhooksPage
      dashboard={page.dashboard('webhooks')}
      stores={session.stores.map(({ id, name, alias, zone, role }) => ({
        name,
        alias,
        zone,
        createHref: includesRole(role, Role.manager) ? webhookPaths.create(alias) : undefined,
        hasRefusedEvents: (endpointsByStore.get(id) ?? []).some(
          ({ hasRefusedEvents }) => hasRefusedEvents,
        ),
        webhooks: (endpointsByStore.get(id) ?? []).map((endpoint) => ({
          ...toWebhookView(endpoint, appNames, {
            store: { alias },
            service: page.messages.activity.service,
            now,
          }),
          href: webhookPaths.details(alias, endpoint.id),
        })),
      }))}
      now={now}
      docsHref="/docs/guides/webhooks"
      hasDeleted={page.query('done') === 'deleted'}
    />
  );
}
