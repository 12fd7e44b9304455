import type { Context } from 'hono';
import { HttpError, ValidationError, notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { PingPage, type PingResult } from '../../pages/webhooks/ping-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { pingEndpoint } from '../../webhooks/endpoints/ping.ts';
import { webhookPaths } from '../paths.ts';
import { requireEndpoint, openOwnWebhook } from './own-webhook.ts';

/** Whether the ping was rejected because the store had one less than ten seconds ago. */
export const isPingThrottled = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.status === 429;

/** Status and `Retry-After` of the page that reports it. */
export const pingThrottledInit = ({ headers }: HttpError) => ({ status: 429, headers }) as const;

/** Offers to send a ping. With `result`, shows the outcome of one, or why none was sent. */
export async function showPing(
  c: Context<AppEnv>,
  context: PageContext,
  result?: PingResult,
  response: Parameters<typeof renderPage>[2] = {},
) {
  const webhook = openOwnWebhook(c, context);
  const endpoint = await requireEndpoint(c, webhook);
  const action = webhookPaths.ping(webhook.store.alias, webhook.id);
  const page = (
    <PingPage
      {...{ action, result }}
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', action)}
      name={endpoint.name}
      host={new URL(endpoint.url).host}
      formToken={await sealFormToken(c, context, action)}
      back={webhookPaths.details(webhook.store.alias, webhook.id)}
    />
  );
  return renderPage(c, page, response);
}

/** Sends a ping and shows the outcome. Status 429 within ten seconds of the store's last ping. */
export async function submitPing(c: Context<AppEnv>, context: PageContext) {
  const { db, actor, id } = openOwnWebhook(c, context);
  const pingContext = { settings: settingsOf(c.env), deps: defaultDeliveryDeps };
  try {
    const outcome = await pingEndpoint(db, actor, id, pingContext);
    if (!outcome) throw notFound();
    return await showPing(c, context, outcome);
  } catch (error) {
    if (error instanceof ValidationError)
      return showPing(c, context, 'urlRefused', { status: 422 });
    if (isPingThrottled(error)) return showPing(c, context, 'tooSoon', pingThrottledInit(error));
    throw error;
  }
}
