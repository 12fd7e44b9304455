import * as z from 'zod';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import { sentText } from '../../web/forms/fields.ts';
import { userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { webhookPaths } from '../../web/paths.ts';
import { sendHeldDelivery } from '../../webhooks/endpoints/send-held.ts';
import { findDelivery, type LoggedDeliveryDetails } from '../../webhooks/log/delivery-record.ts';
import { startReplay } from '../../webhooks/replay/start-replay.ts';
import { DeliveryPage, deliveryFlashes, type DeliveryAction } from './delivery-page.tsx';
import { openOwnWebhook, requireEndpoint, sendingOf } from './own-webhook.ts';
import { toDeliveryView } from './views.ts';

/**
 * `/account/webhooks/{alias}/{id}/deliveries/{seq}`: one delivery, its attempts and the body that was sent. Its form sends a
 * held delivery now, or another one again.
 */
export const deliveryForm = userForm({
  path: webhookPaths.delivery(':alias', ':id', ':seq'),
  role: Role.manager,
  showRole: Role.viewer,
  limit: 'webhooks',
  part: 'webhooks',
  async load(page) {
    const { db, actor, id } = openOwnWebhook(page);
    const [endpoint, delivery] = await Promise.all([
      requireEndpoint(page),
      findDelivery(db, actor, id, page.id('seq')),
    ]);
    if (!delivery) throw notFound();
    return { endpoint, delivery };
  },
  fields: () => z.object({ action: sentText }),
  render(page, { endpoint, delivery }, form) {
    const { store } = page;
    const { id, name } = endpoint;
    return (
      <DeliveryPage
        dashboard={page.dashboard('webhooks')}
        webhook={{ name, href: webhookPaths.details(store.alias, id) }}
        delivery={toDeliveryView(delivery, page.now)}
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
        now={page.now}
        action={form.action}
        choice={actionFor(store, delivery)}
        flash={page.done(deliveryFlashes)}
        formToken={form.formToken}
      />
    );
  },
  submit: (page, { action }) => (action === 'sendNow' ? sendNow(page) : resend(page)),
});

/** Returns the action of a member: none for viewers, and none for a delivery before its first attempt. */
function actionFor(
  { role }: SignedInPage['store'],
  { state, isPending }: Pick<LoggedDeliveryDetails, 'state' | 'isPending'>,
): DeliveryAction | undefined {
  if (!includesRole(role, Role.manager)) return undefined;
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

/** Sends a held delivery at once, and shows whether it has arrived. */
async function sendNow(page: SignedInPage) {
  const { db, actor, id } = openOwnWebhook(page);
  const showResult = (flash: (typeof deliveryFlashes)[number]) =>
    page.redirect(`${page.path}?done=${flash}`);
  try {
    const sent = await sendHeldDelivery(db, actor, { id, seq: page.id('seq') }, sendingOf(page));
    if (!sent) throw notFound();
    return showResult(sent.state === DeliveryState.delivered ? 'sent' : 'notSent');
  } catch (error) {
    // Another member has sent it, or its body is gone: the page shows it as it is.
    if (error instanceof HttpError && [409, 410].includes(error.status))
      return page.redirect(page.path);
    if (error instanceof ValidationError || (error instanceof HttpError && error.status === 403))
      return showResult('sendRefused');
    throw error;
  }
}

/** Replays a delivery. If its body has been purged or it was never sent, redirects to its page, which says so. */
async function resend(page: SignedInPage) {
  const { db, actor, id } = openOwnWebhook(page);
  const { alias } = page.store;
  try {
    if (!(await startReplay(db, actor, id, { seq: page.id('seq') }))) throw notFound();
  } catch (error) {
    if (error instanceof HttpError && [409, 410].includes(error.status))
      return page.redirect(page.path);
    // The app may not receive the event now; the page on resuming says so.
    if (error instanceof HttpError && error.status === 403)
      return page.redirect(webhookPaths.resume(alias, id));
    throw error;
  }
  return page.redirect(`${webhookPaths.details(alias, id)}?done=resent`);
}
