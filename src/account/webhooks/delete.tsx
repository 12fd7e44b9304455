import type { Context } from 'hono';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate, UntrustedName } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { deleteEndpoint } from '../../webhooks/endpoints/create.ts';
import { webhookPaths } from '../paths.ts';
import { openOwnWebhook, requireEndpoint } from './own-webhook.ts';

/** Asks for confirmation before a webhook is deleted. */
export async function showDeleteWebhook(c: Context<AppEnv>, context: PageContext) {
  const webhook = openOwnWebhook(c, context);
  const endpoint = await requireEndpoint(c, webhook);
  const action = webhookPaths.delete(webhook.store.alias, webhook.id);
  const dashboard = buildDashboardLayoutProps(c, context, 'webhooks', action);
  const t = messagesFor(dashboard.layout.language).webhookForms.remove;
  const name = <UntrustedName name={endpoint.name} />;
  const page = (
    <ConfirmPage
      {...{ dashboard, action }}
      title={t.title}
      question={<Interpolate text={t.question} parts={{ name }} />}
      paragraphs={[t.consequence, t.instead]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.submit}
      isDangerous
      back={webhookPaths.details(webhook.store.alias, webhook.id)}
    />
  );
  return renderPage(c, page);
}

/** Deletes a webhook and cancels what it has not sent, in one batch. */
export async function submitDeleteWebhook(c: Context<AppEnv>, context: PageContext) {
  const { db, actor, id } = openOwnWebhook(c, context);
  if (!(await deleteEndpoint(db, actor, id))) throw notFound();
  return c.redirect(`${browserPaths.webhooks}?done=deleted`, 303);
}
