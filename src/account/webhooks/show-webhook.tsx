import type { Context } from 'hono';
import { DeliveryState } from '../../db/schema/webhooks.ts';
import { deliveryLog } from '../../events/delivery-log.ts';
import type { Faces } from '../../http/faces.ts';
import { deliveryFilters } from '../../pages/delivery-filters.tsx';
import { WebhookPage, webhookNews } from '../../pages/webhook-page.tsx';
import { notFound } from '../../problem.ts';
import { panelOf } from '../../session/panel-of.ts';
import { paths } from '../../session/paths.ts';
import { showPage } from '../../session/show-page.ts';
import type { Here } from '../../session/signed-in.ts';
import { withParameter } from '../../session/with-parameter.ts';
import { appNamesOf } from './app-names-of.ts';
import { ownEndpoint } from './own-endpoint.ts';
import { ownWebhook } from './own-webhook.ts';
import { pathNumber } from './path-number.ts';
import { shownDelivery } from './shown-delivery.ts';
import { shownWebhook } from './shown-webhook.ts';
import { webhookPaths } from './webhook-paths.ts';

const perPage = 20;

/** `GET /account/webhooks/{alias}/{id}`: how a webhook is doing, and its log, newest first. */
export async function showWebhook(c: Context<Faces>, here: Here) {
  const own = ownWebhook(c, here);
  const { store, db, owner, id } = own;
  const { before, state } = c.req.query();
  const filter = deliveryFilters.find((one) => one === state);
  if (state !== undefined && !filter) throw notFound();
  const [endpoint, log] = await Promise.all([
    ownEndpoint(c, own),
    deliveryLog(db, owner, id, {
      limit: perPage,
      before: before === undefined ? undefined : pathNumber(before),
      state: filter && DeliveryState[filter],
      event: undefined,
      during: undefined,
    }),
  ]);
  const path = webhookPaths.one(store.alias, id);
  const filtered = withParameter(path, 'state', filter);
  const page = (
    <WebhookPage
      panel={panelOf(c, 'webhooks', withParameter(filtered, 'before', before))}
      webhook={shownWebhook(endpoint, await appNamesOf(c, [endpoint]), here.now)}
      store={store}
      deliveries={(log?.rows ?? []).map((row) => ({
        ...shownDelivery(row, here.now),
        href: webhookPaths.delivery(store.alias, id, row.seq),
      }))}
      filter={filter}
      filterHref={(one) => withParameter(path, 'state', one)}
      newestHref={before === undefined ? undefined : filtered}
      olderHref={log?.next ? withParameter(filtered, 'before', String(log.next)) : undefined}
      listHref={paths.webhooks}
      pingHref={webhookPaths.ping(store.alias, id)}
      pauseHref={webhookPaths.pause(store.alias, id)}
      resumeHref={webhookPaths.resume(store.alias, id)}
      news={webhookNews.find((one) => one === c.req.query('done'))}
    />
  );
  return showPage(c, page);
}
