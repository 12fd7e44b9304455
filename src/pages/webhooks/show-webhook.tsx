import { notFound } from '../../base/errors.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { parsePathNumber, type SignedInPage } from '../../web/page.ts';
import { browserPaths, webhookPaths, withQueryParameter } from '../../web/paths.ts';
import { listDeliveries } from '../../webhooks/log/list-deliveries.ts';
import { loadDeliveryHistory } from '../../webhooks/log/stats.ts';
import { chartsBegin } from './delivery-charts.tsx';
import { deliveryFilters } from './delivery-list.tsx';
import { loadEndpointAppNames, openOwnWebhook, requireEndpoint } from './own-webhook.ts';
import { toDeliveryView, toWebhookView } from './views.ts';
import { WebhookPage, webhookFlashes } from './webhook-page.tsx';

const deliveriesPerPage = 20;

/** `GET /account/webhooks/{alias}/{id}`: a webhook's health, its deliveries over time, and its delivery log, newest first. */
export async function showWebhook(page: SignedInPage) {
  const { store, path, now } = page;
  const { db, actor, id } = openOwnWebhook(page);
  const [before, state] = [page.query('before'), page.query('state')];
  const filter = deliveryFilters.find((name) => name === state);
  if (state !== undefined && !filter) throw notFound();
  const [endpoint, history, log] = await Promise.all([
    requireEndpoint(page),
    loadDeliveryHistory(db, actor, id, chartsBegin(now)),
    listDeliveries(db, actor, id, {
      limit: deliveriesPerPage,
      before: before === undefined ? undefined : parsePathNumber(before),
      state: filter && DeliveryState[filter],
      event: undefined,
      during: undefined,
    }),
  ]);
  const filteredPath = withQueryParameter(path, 'state', filter);
  return (
    <WebhookPage
      dashboard={page.dashboard('webhooks', withQueryParameter(filteredPath, 'before', before))}
      webhook={toWebhookView(endpoint, await loadEndpointAppNames(page, [endpoint]), {
        store,
        service: page.messages.activity.service,
        now,
        isUrlShown: includesRole(store.role, Role.manager),
      })}
      store={store}
      now={now}
      history={history}
      deliveries={(log?.rows ?? []).map((row) => ({
        ...toDeliveryView(row, now),
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
        includesRole(store.role, Role.manager)
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
      flash={page.done(webhookFlashes)}
    />
  );
}
