import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { WebhookSecretPage } from '../../pages/webhooks/webhook-secret-page.tsx';
import { ShownOnce } from '../../session/forms/shown-once.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { webhookPaths } from '../paths.ts';
import { openOwnWebhook, requireEndpoint } from './own-webhook.ts';

/** A new signing secret and its webhook. */
export const webhookSecret = new ShownOnce<{ id: number; secret: string }>(
  'made-webhook-secret',
  'created-webhook-secret',
);

/** `GET /account/webhooks/{alias}/{id}/secret`: shows a new secret. A reload no longer shows it. */
export async function showWebhookSecret(c: Context<AppEnv>, context: PageContext) {
  const webhook = openOwnWebhook(c, context);
  const { alias } = webhook.store;
  const endpoint = await requireEndpoint(c, webhook);
  const made = await webhookSecret.take(c, context);
  const path = webhookPaths.secret(alias, webhook.id);
  const shown = buildDashboardLayoutProps(c, context, 'webhooks', path);
  const page = (
    <WebhookSecretPage
      // No language switch: the secret is gone once the page is requested again.
      dashboard={{ ...shown, layout: { ...shown.layout, languageHrefs: undefined } }}
      name={endpoint.name}
      secret={made?.id === webhook.id ? made.secret : undefined}
      isFirst={c.req.query('done') === 'created'}
      webhookHref={webhookPaths.details(alias, webhook.id)}
    />
  );
  return renderPage(c, page);
}
