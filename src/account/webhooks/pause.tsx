import type { Context } from 'hono';
import { EndpointStatus } from '../../db/schema/store/webhooks.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate, UntrustedName } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { updateEndpoint, pauseStatements } from '../../webhooks/endpoints/update.ts';
import { webhookPaths } from '../paths.ts';
import { requireEndpoint, openOwnWebhook } from './own-webhook.ts';

/** Asks for confirmation before a webhook is paused. Redirects to its page when it is not active. */
export async function showPause(c: Context<AppEnv>, context: PageContext) {
  const webhook = openOwnWebhook(c, context);
  const endpoint = await requireEndpoint(c, webhook);
  const back = webhookPaths.details(webhook.store.alias, webhook.id);
  if (endpoint.status !== EndpointStatus.active) return c.redirect(back, 303);
  const action = webhookPaths.pause(webhook.store.alias, webhook.id);
  const dashboard = buildDashboardLayoutProps(c, context, 'webhooks', action);
  const t = messagesFor(dashboard.layout.language).webhooks.pause;
  const page = (
    <ConfirmPage
      {...{ dashboard, action, back }}
      title={t.title}
      question={
        <Interpolate text={t.question} parts={{ name: <UntrustedName name={endpoint.name} /> }} />
      }
      paragraphs={[t.consequence, t.later]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.submit}
      isDangerous
    />
  );
  return renderPage(c, page);
}

/** Pauses a webhook and holds its open deliveries, in one batch. Throws 404 when the store has none with this id. */
export async function submitPause(c: Context<AppEnv>, context: PageContext) {
  const { store, db, actor, id } = openOwnWebhook(c, context);
  const updated = await updateEndpoint(db, actor, id, {}, pauseStatements(db, actor, id));
  if (!updated) throw notFound();
  return c.redirect(`${webhookPaths.details(store.alias, id)}?done=paused`, 303);
}
