import type { Context } from 'hono';
import { deliveryDetails } from '../../events/delivery-details.ts';
import type { Faces } from '../../http/faces.ts';
import { DeliveryPage } from '../../pages/delivery-page.tsx';
import { notFound } from '../../problem.ts';
import { panelOf } from '../../session/panel-of.ts';
import { showPage } from '../../session/show-page.ts';
import { ticketFor } from '../../session/signed-in-form.ts';
import type { Here } from '../../session/signed-in.ts';
import { ownEndpoint } from './own-endpoint.ts';
import { ownWebhook } from './own-webhook.ts';
import { pathNumber } from './path-number.ts';
import { shownDelivery } from './shown-delivery.ts';
import { webhookPaths } from './webhook-paths.ts';

/** `GET /account/webhooks/{alias}/{id}/deliveries/{seq}`: every try of a delivery, what was sent, and Resend. */
export async function showDelivery(c: Context<Faces>, here: Here) {
  const own = ownWebhook(c, here);
  const { store, db, owner, id } = own;
  const seq = pathNumber(c.req.param('seq'));
  const [endpoint, delivery] = await Promise.all([
    ownEndpoint(c, own),
    deliveryDetails(db, owner, id, seq),
  ]);
  if (!delivery) throw notFound();
  const path = webhookPaths.delivery(store.alias, id, seq);
  const page = (
    <DeliveryPage
      panel={panelOf(c, 'webhooks', path)}
      webhook={{ name: endpoint.name, href: webhookPaths.one(store.alias, id) }}
      delivery={shownDelivery(delivery, here.now)}
      eventId={delivery.event_id}
      replayedHref={
        delivery.replay_of === null
          ? undefined
          : webhookPaths.delivery(store.alias, id, delivery.replay_of)
      }
      attempts={delivery.log.map((one) => ({
        number: one.number,
        at: one.at,
        code: one.code,
        error: one.error,
        durationMs: one.duration_ms,
        headers: one.response_headers,
        answer: one.response_body,
      }))}
      body={delivery.body === null ? null : readable(delivery.body)}
      zone={store.zone}
      action={path}
      ticket={await ticketFor(c, here, path)}
    />
  );
  return showPage(c, page);
}

/** What was sent on one line, on several. */
function readable(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
