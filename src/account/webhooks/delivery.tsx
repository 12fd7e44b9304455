import type { Context } from 'hono';
import { notFound, HttpError } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { DeliveryPage } from '../../pages/webhooks/delivery-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/user-pages.ts';
import { findDelivery } from '../../webhooks/log/delivery.ts';
import { startReplay } from '../../webhooks/replay/start.ts';
import { parsePathNumber } from '../path-parameters.ts';
import { webhookPaths } from '../paths.ts';
import { requireEndpoint, openOwnWebhook } from './own-webhook.ts';
import { toDeliveryView } from './views.ts';

/** `GET /account/webhooks/{alias}/{id}/deliveries/{seq}`: one delivery, its attempts and the body that was sent. */
export async function showDelivery(c: Context<AppEnv>, context: PageContext) {
  const webhook = openOwnWebhook(c, context);
  const { store, db, actor, id } = webhook;
  const seq = parsePathNumber(c.req.param('seq'));
  const [endpoint, delivery] = await Promise.all([
    requireEndpoint(c, webhook),
    findDelivery(db, actor, id, seq),
  ]);
  if (!delivery) throw notFound();
  const path = webhookPaths.delivery(store.alias, id, seq);
  const page = (
    <DeliveryPage
      dashboard={buildDashboardLayoutProps(c, 'webhooks', path)}
      webhook={{ name: endpoint.name, href: webhookPaths.details(store.alias, id) }}
      delivery={toDeliveryView(delivery, context.now)}
      eventId={delivery.event_id}
      originalHref={
        delivery.replay_of === null
          ? undefined
          : webhookPaths.delivery(store.alias, id, delivery.replay_of)
      }
      attempts={delivery.attemptLog.map((attempt) => ({
        number: attempt.number,
        at: attempt.at,
        status: attempt.response_status,
        error: attempt.error,
        durationMs: attempt.duration_ms,
        responseHeaders: attempt.response_headers,
        responseBody: attempt.response_body,
      }))}
      body={delivery.body === null ? null : formatJson(delivery.body)}
      zone={store.zone}
      action={delivery.isPending ? undefined : path}
      formToken={await sealFormToken(c, context, path)}
    />
  );
  return renderPage(c, page);
}

/** Indents JSON; returns anything else unchanged. */
function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** Replays a delivery. If its body has been purged or it was never sent, redirects to its page, which says so. */
export async function submitResend(c: Context<AppEnv>, context: PageContext) {
  const { store, db, actor, id } = openOwnWebhook(c, context);
  const seq = parsePathNumber(c.req.param('seq'));
  try {
    if (!(await startReplay(db, actor, id, { seq }))) throw notFound();
  } catch (error) {
    if (error instanceof HttpError && [409, 410].includes(error.status))
      return c.redirect(c.req.path, 303);
    // The app may not hear the event now; the page on resuming says so.
    if (error instanceof HttpError && error.status === 403)
      return c.redirect(webhookPaths.resume(store.alias, id), 303);
    throw error;
  }
  return c.redirect(`${webhookPaths.details(store.alias, id)}?done=resent`, 303);
}
