import type { Context } from 'hono';
import { EndpointStatus } from '../../db/schema/webhooks.ts';
import { changeEndpoint, pausing } from '../../events/endpoint-changes.ts';
import type { Faces } from '../../http/faces.ts';
import { ConfirmPage } from '../../pages/confirm-page.tsx';
import { Fill } from '../../pages/fill.tsx';
import { GivenName } from '../../pages/given-name.tsx';
import { wordsOf } from '../../pages/words/words-of.ts';
import { notFound } from '../../problem.ts';
import { panelOf } from '../../session/panel-of.ts';
import { showPage } from '../../session/show-page.ts';
import { ticketFor } from '../../session/signed-in-form.ts';
import type { Here } from '../../session/signed-in.ts';
import { ownEndpoint } from './own-endpoint.ts';
import { ownWebhook } from './own-webhook.ts';
import { webhookPaths } from './webhook-paths.ts';

/** Asks before a webhook is paused; one that is not active leads back to its page. */
export async function confirmPause(c: Context<Faces>, here: Here) {
  const own = ownWebhook(c, here);
  const endpoint = await ownEndpoint(c, own);
  const back = webhookPaths.one(own.store.alias, own.id);
  if (endpoint.status !== EndpointStatus.active) return c.redirect(back, 303);
  const action = webhookPaths.pause(own.store.alias, own.id);
  const panel = panelOf(c, 'webhooks', action);
  const said = wordsOf(panel.frame.language).webhooks.pause;
  const page = (
    <ConfirmPage
      {...{ panel, action, back }}
      title={said.title}
      question={<Fill text={said.question} parts={{ name: <GivenName name={endpoint.name} /> }} />}
      paragraphs={[said.consequence, said.later]}
      ticket={await ticketFor(c, here, action)}
      submit={said.submit}
      isDangerous
    />
  );
  return showPage(c, page);
}

/** Pauses a webhook: what is open is held, in one batch. Throws 404 when the store has none with this id. */
export async function pause(c: Context<Faces>, here: Here) {
  const { store, db, owner, id } = ownWebhook(c, here);
  const row = await changeEndpoint(db, owner, id, {}, pausing(db, owner, id));
  if (!row) throw notFound();
  return c.redirect(`${webhookPaths.one(store.alias, id)}?done=paused`, 303);
}
