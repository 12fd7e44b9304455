import type { Context } from 'hono';
import { connectionsOf } from '../../db/grants/connections.ts';
import { EndpointStatus } from '../../db/schema/webhooks.ts';
import { deliveryStats, sampleSize } from '../../events/delivery-stats.ts';
import type { Faces } from '../../http/faces.ts';
import { ResumePage, type ResumeFault } from '../../pages/resume-page.tsx';
import { panelOf } from '../../session/panel-of.ts';
import { showPage } from '../../session/show-page.ts';
import { ticketFor } from '../../session/signed-in-form.ts';
import type { Here } from '../../session/signed-in.ts';
import { appNamesOf } from './app-names-of.ts';
import { ownEndpoint } from './own-endpoint.ts';
import { ownWebhook } from './own-webhook.ts';
import { webhookPaths } from './webhook-paths.ts';

/** Asks what a webhook is to get of what it missed, and the same page again (422) when it cannot be resumed. */
export async function showResume(
  c: Context<Faces>,
  here: Here,
  fault?: ResumeFault,
  answered: Parameters<typeof showPage>[2] = { status: fault ? 422 : 200 },
) {
  const own = ownWebhook(c, here);
  const { store, db, owner, id } = own;
  const [endpoint, stats, connections] = await Promise.all([
    ownEndpoint(c, own),
    deliveryStats(db, owner, id),
    connectionsOf(c.env, [store], here.now),
  ]);
  const back = webhookPaths.one(store.alias, id);
  if (endpoint.status === EndpointStatus.active) return c.redirect(back, 303);
  const action = webhookPaths.resume(store.alias, id);
  const { clientId } = endpoint;
  const isParted =
    clientId !== null && !connections.some((connection) => connection.clientId === clientId);
  const names = isParted ? await appNamesOf(c, [endpoint]) : undefined;
  const isDisabled = endpoint.status === EndpointStatus.autoDisabled;
  const page = (
    <ResumePage
      {...{ action, back, fault }}
      panel={panelOf(c, 'webhooks', action)}
      name={endpoint.name}
      host={new URL(endpoint.url).host}
      partedApp={isParted ? (names?.get(clientId)?.name ?? clientId) : undefined}
      held={stats?.states.held ?? 0}
      mayBeMore={stats?.sampled === sampleSize}
      isPinged={isDisabled}
      chosen={isDisabled ? '72h' : 'all'}
      ticket={await ticketFor(c, here, action)}
    />
  );
  return showPage(c, page, answered);
}
