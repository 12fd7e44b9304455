import type { Context } from 'hono';
import { url as urlField } from '../../codecs/fields/string-formats.ts';
import { defaultZone } from '../../codecs/time/zone.ts';
import { openDatabase } from '../../db/core/open.ts';
import { listAppDeliveries } from '../../db/directory/app-deliveries.ts';
import { findAppWebhook } from '../../db/directory/app-webhooks.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { AppWebhookPage, type AppWebhookError } from '../../pages/partners/app-webhook-page.tsx';
import { rotationEnd, setAppWebhook } from '../../people/partners/app-webhook.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { checkUrl } from '../../webhooks/url-policy/check.ts';
import { buildPartnerLayoutProps } from '../dashboard.ts';
import { requireOwnApp } from '../own-app.ts';
import { appPaths } from '../paths.ts';
import { shownSecret } from './deeds.tsx';

const flashes = ['saved', 'removed'] as const;

async function showPage(
  c: Context<AppEnv>,
  context: PageContext,
  typed?: { url: string; error: AppWebhookError },
) {
  const { client_id: clientId, name } = await requireOwnApp(c, context);
  const directory = openDatabase(c.env.DIRECTORY);
  const [webhook, deliveries] = await Promise.all([
    findAppWebhook(directory, clientId),
    listAppDeliveries(directory, clientId),
  ]);
  const path = appPaths.webhook(clientId);
  const done = c.req.query('done');
  const page = (
    <AppWebhookPage
      dashboard={buildPartnerLayoutProps(c, context, 'apps', path)}
      appName={name}
      state={
        webhook && (!webhook.active ? 'off' : webhook.failing_since === null ? 'active' : 'failing')
      }
      rotatingUntil={webhook && rotationEnd(webhook, context.now)}
      url={typed?.url ?? webhook?.url ?? ''}
      error={typed?.error}
      deliveries={deliveries.map((delivery) => ({
        event: delivery.event,
        at: delivery.created_at,
        attempts: delivery.attempts,
        result: { status: delivery.response_status, error: delivery.error },
        state:
          delivery.delivered_at !== null
            ? 'delivered'
            : delivery.due_at === null
              ? 'givenUp'
              : 'waiting',
      }))}
      zone={defaultZone}
      action={path}
      formToken={await sealFormToken(c, context, path)}
      rotationHref={appPaths.webhookRotation(clientId)}
      removalHref={appPaths.webhookRemoval(clientId)}
      back={appPaths.app(clientId)}
      flash={typed ? undefined : flashes.find((news) => news === done)}
    />
  );
  return renderPage(c, page, { status: typed ? 422 : 200 });
}

/** `GET /partners/{client id}/webhook`: the webhook of the app itself, and its latest deliveries. */
export const showAppWebhook = (c: Context<AppEnv>, context: PageContext) => showPage(c, context);

/** Saves the URL. A new webhook gets a secret, which the next page shows once. */
export async function submitAppWebhook(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { client_id: clientId } = await requireOwnApp(c, context);
  const url = (form.get('url') ?? '').trim();
  const error = await findFault(c, url);
  if (error) return showPage(c, context, { url, error });
  const secret = await setAppWebhook(pageDeed(c, context), { clientId, url });
  if (secret === undefined) return c.redirect(`${appPaths.webhook(clientId)}?done=saved`, 303);
  await shownSecret.stash(c, context, { clientId, secret });
  return c.redirect(appPaths.webhookSecret(clientId), 303);
}

async function findFault(c: Context<AppEnv>, url: string): Promise<AppWebhookError | undefined> {
  if (url === '') return 'urlMissing';
  if (!urlField().safeParse(url).success) return 'urlWrong';
  const message = await checkUrl(url, settingsOf(c.env), defaultDeliveryDeps);
  return message === undefined ? undefined : 'urlRefused';
}
