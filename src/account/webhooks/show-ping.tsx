import type { Context } from 'hono';
import type { Faces } from '../../http/faces.ts';
import { PingPage, type PingResult } from '../../pages/ping-page.tsx';
import { panelOf } from '../../session/panel-of.ts';
import { showPage } from '../../session/show-page.ts';
import { ticketFor } from '../../session/signed-in-form.ts';
import type { Here } from '../../session/signed-in.ts';
import { ownEndpoint } from './own-endpoint.ts';
import { ownWebhook } from './own-webhook.ts';
import { webhookPaths } from './webhook-paths.ts';

/** Offers to send a ping, and says what came of one, or why none was sent. */
export async function showPing(
  c: Context<Faces>,
  here: Here,
  result?: PingResult,
  answered: Parameters<typeof showPage>[2] = {},
) {
  const own = ownWebhook(c, here);
  const endpoint = await ownEndpoint(c, own);
  const action = webhookPaths.ping(own.store.alias, own.id);
  const page = (
    <PingPage
      {...{ action, result }}
      panel={panelOf(c, 'webhooks', action)}
      name={endpoint.name}
      host={new URL(endpoint.url).host}
      ticket={await ticketFor(c, here, action)}
      back={webhookPaths.one(own.store.alias, own.id)}
    />
  );
  return showPage(c, page, answered);
}
