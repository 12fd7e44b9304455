import type { Context } from 'hono';
import { DeliveryState } from '../../db/schema/store/webhooks.ts';
import { notFound, HttpError, ValidationError } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import {
  DeliveryPage,
  deliveryFlashes,
  type DeliveryDeed,
} from '../../pages/webhooks/delivery-page.tsx';
import { includesRole } from '../../session/pages/page-roles.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { sendHeldDelivery } from '../../webhooks/endpoints/send-held.ts';
import { findDelivery, type LoggedDeliveryDetails } from '../../webhooks/log/delivery.ts';
import { startReplay } from '../../webhooks/replay/start.ts';
import { parsePathNumber } from '../path-parameters.ts';
import { webhookPaths } from '../paths.ts';
import { requireEndpoint, openOwnWebhook, type OwnWebhook } from './own-webhook.ts';
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
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', path)}
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
      action={path}
      deed={deedFor(store, delivery)}
      flash={deliveryFlashes.find((name) => name === c.req.query('done'))}
      formToken={await sealFormToken(c, context, path)}
    />
  );
  return renderPage(c, page);
}

/** What the member may do: nothing for viewers, and for what is on its way to be sent for the first time. */
function deedFor(
  { role }: OwnWebhook['store'],
  { state, isPending }: Pick<LoggedDeliveryDetails, 'state' | 'isPending'>,
): DeliveryDeed | undefined {
  if (!includesRole(role, 'manager')) return undefined;
  if (state === DeliveryState.held) return 'sendNow';
  return isPending ? undefined : 'resend';
}

/** Indents JSON; returns anything else unchanged. */
function formatJson(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

/** `POST /account/webhooks/{alias}/{id}/deliveries/{seq}`: sends a held delivery now, or another one again. */
export const submitDelivery = (c: Context<AppEnv>, context: PageContext, form: URLSearchParams) =>
  form.get('deed') === 'sendNow' ? sendNow(c, context) : resend(c, context);

/** Sends a held delivery at once, and shows whether it has arrived. */
async function sendNow(c: Context<AppEnv>, context: PageContext) {
  const { db, actor, id } = openOwnWebhook(c, context);
  const seq = parsePathNumber(c.req.param('seq'));
  const sending = { settings: settingsOf(c.env), deps: defaultDeliveryDeps };
  const showResult = (flash: (typeof deliveryFlashes)[number]) =>
    c.redirect(`${c.req.path}?done=${flash}`, 303);
  try {
    const sent = await sendHeldDelivery(db, actor, { id, seq }, sending);
    if (!sent) throw notFound();
    return showResult(sent.state === DeliveryState.delivered ? 'sent' : 'notSent');
  } catch (error) {
    // Somebody else has sent it, or its body is gone: the page shows it as it is.
    if (error instanceof HttpError && [409, 410].includes(error.status))
      return c.redirect(c.req.path, 303);
    if (error instanceof ValidationError || (error instanceof HttpError && error.status === 403))
      return showResult('sendRefused');
    throw error;
  }
}

/** Replays a delivery. If its body has been purged or it was never sent, redirects to its page, which says so. */
async function resend(c: Context<AppEnv>, context: PageContext) {
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
