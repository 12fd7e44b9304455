import type { Context } from 'hono';
import { endpointsOfStores } from '../../events/endpoints-of-stores.ts';
import type { Faces } from '../../http/faces.ts';
import { WebhooksPage } from '../../pages/webhooks-page.tsx';
import { panelOf } from '../../session/panel-of.ts';
import { paths } from '../../session/paths.ts';
import { showPage } from '../../session/show-page.ts';
import type { Here } from '../../session/signed-in.ts';
import { appNamesOf } from './app-names-of.ts';
import { shownWebhook } from './shown-webhook.ts';
import { webhookPaths } from './webhook-paths.ts';

/** `GET /account/webhooks`: what is told of the stores of whoever is signed in, and to whom. */
export async function showWebhooks(c: Context<Faces>, { person, now }: Here) {
  const endpoints = await endpointsOfStores(c.env, person.stores);
  const names = await appNamesOf(c, endpoints);
  const byStore = Map.groupBy(endpoints, ({ storeId }) => storeId);
  const page = (
    <WebhooksPage
      panel={panelOf(c, 'webhooks', paths.webhooks)}
      stores={person.stores.map(({ id, name, alias, zone }) => ({
        name,
        alias,
        zone,
        webhooks: (byStore.get(id) ?? []).map((endpoint) => ({
          ...shownWebhook(endpoint, names, now),
          href: webhookPaths.one(alias, endpoint.id),
        })),
      }))}
      docsHref="/docs#createWebhook"
    />
  );
  return showPage(c, page);
}
