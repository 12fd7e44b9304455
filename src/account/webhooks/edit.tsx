import type { Context } from 'hono';
import { HttpError, ValidationError, notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { WebhookFormPage, type WebhookFormError } from '../../pages/webhooks/webhook-form-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { AppDisconnectedError } from '../../webhooks/endpoints/consent.ts';
import { PingFailedError } from '../../webhooks/endpoints/ping.ts';
import { updateEndpointUrl } from '../../webhooks/endpoints/update-url.ts';
import { webhookPaths } from '../paths.ts';
import { checkWebhookForm, readWebhookForm, type TypedWebhook } from './form-input.ts';
import { openOwnWebhook, requireEndpoint } from './own-webhook.ts';
import { isPingThrottled, pingThrottledInit } from './ping.tsx';

/** `GET /account/webhooks/{alias}/{id}/edit`. Shows the form again with status 422 for errors. */
export async function showWebhookEdit(
  c: Context<AppEnv>,
  context: PageContext,
  { typed, faults = [] }: { typed?: TypedWebhook; faults?: readonly WebhookFormError[] } = {},
  response: Parameters<typeof renderPage>[2] = { status: faults.length > 0 ? 422 : 200 },
) {
  const webhook = openOwnWebhook(c, context);
  const endpoint = await requireEndpoint(c, webhook);
  const { alias } = webhook.store;
  const action = webhookPaths.edit(alias, webhook.id);
  const page = (
    <WebhookFormPage
      {...{ action }}
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', action)}
      store={webhook.store}
      webhookName={endpoint.name}
      typed={typed ?? endpoint}
      formToken={await sealFormToken(c, context, action)}
      errors={faults}
      back={webhookPaths.details(alias, webhook.id)}
    />
  );
  return renderPage(c, page, response);
}

/**
 * Changes a webhook by the function of the API. A webhook that was switched off must answer a ping at its new address:
 * status 422 when it does not, 429 within ten seconds of the store's last ping.
 */
export async function submitWebhookEdit(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { store, db, actor, id } = openOwnWebhook(c, context);
  const settings = settingsOf(c.env);
  const typed = readWebhookForm(form);
  const checked = await checkWebhookForm(typed, settings);
  if ('faults' in checked) return showWebhookEdit(c, context, { typed, faults: checked.faults });
  const showAgain = (fault: WebhookFormError, response?: Parameters<typeof renderPage>[2]) =>
    showWebhookEdit(c, context, { typed, faults: [fault] }, response);
  try {
    const pingContext = { settings, deps: defaultDeliveryDeps };
    if (!(await updateEndpointUrl(db, actor, id, checked.values, pingContext))) throw notFound();
  } catch (error) {
    if (error instanceof PingFailedError) return showAgain('unanswered');
    if (isPingThrottled(error)) return showAgain('tooSoon', pingThrottledInit(error));
    const isForbidden = error instanceof HttpError && error.status === 403;
    if (isForbidden || error instanceof AppDisconnectedError) return showAgain('appRefused');
    if (error instanceof ValidationError) return showAgain('urlRefused');
    throw error;
  }
  return c.redirect(`${webhookPaths.details(store.alias, id)}?done=edited`, 303);
}
