import type { Context } from 'hono';
import { DeliveryState } from '../../db/schema/store/webhooks.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { deliveryFilters } from '../../pages/webhooks/delivery-list.tsx';
import { WebhookPage, webhookFlashes } from '../../pages/webhooks/webhook-page.tsx';
import { includesRole } from '../../session/pages/page-roles.ts';
import { browserPaths, withQueryParameter } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { listDeliveries } from '../../webhooks/log/deliveries.ts';
import { parsePathNumber } from '../path-parameters.ts';
import { webhookPaths } from '../paths.ts';
import { loadEndpointAppNames, requireEndpoint, openOwnWebhook } from './own-webhook.ts';
import { toDeliveryView, toWebhookView } from './views.ts';

const deliveriesPerPage = 20;

/** `GET /account/webhooks/{alias}/{id}`: a webhook's health and its delivery log, newest first. */
export async function showWebhook(c: Context<AppEnv>, context: PageContext) {
  const webhook = openOwnWebhook(c, context);
  const { store, db, actor, id } = webhook;
  const { before, state } = c.req.query();
  const filter = deliveryFilters.find((name) => name === state);
  if (state !== undefined && !filter) throw notFound();
  const [endpoint, log] = await Promise.all([
    requireEndpoint(c, webhook),
    listDeliveries(db, actor, id, {
      limit: deliveriesPerPage,
      before: before === undefined ? undefined : parsePathNumber(before),
      state: filter && DeliveryState[filter],
      event: undefined,
      during: undefined,
    }),
  ]);
  const path = webhookPaths.details(store.alias, id);
  const filteredPath = withQueryParameter(path, 'state', filter);
  const page = (
    <WebhookPage
      dashboard={buildDashboardLayoutProps(
        c,
        context,
        'webhooks',
        withQueryParameter(filteredPath, 'before', before),
      )}
      webhook={toWebhookView(endpoint, await loadEndpointAppNames(c, [endpoint]), {
        now: context.now,
        isUrlShown: includesRole(store.role, 'manager'),
      })}
      store={store}
      deliveries={(log?.rows ?? []).map((row) => ({
        ...toDeliveryView(row, context.now),
        href: webhookPaths.delivery(store.alias, id, row.seq),
      }))}
      filter={filter}
      filterHref={(name) => withQueryParameter(path, 'state', name)}
      newestHref={before === undefined ? undefined : filteredPath}
      olderHref={
        log?.next ? withQueryParameter(filteredPath, 'before', String(log.next)) : undefined
      }
      listHref={browserPaths.webhooks}
      actions={
        includesRole(store.role, 'manager')
          ? {
              editHref: webhookPaths.edit(store.alias, id),
              rotateHref: webhookPaths.rotate(store.alias, id),
              pingHref: webhookPaths.ping(store.alias, id),
              pauseHref: webhookPaths.pause(store.alias, id),
              resumeHref: webhookPaths.resume(store.alias, id),
              deleteHref: webhookPaths.delete(store.alias, id),
            }
          : undefined
      }
      flash={webhookFlashes.find((name) => name === c.req.query('done'))}
    />
  );
  return renderPage(c, page);
}
