import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { WebhookFormPage, type WebhookFormError } from '../../pages/webhooks/webhook-form-page.tsx';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { createEndpoint, TooManyEndpointsError } from '../../webhooks/endpoints/create.ts';
import { webhookPaths } from '../paths.ts';
import { checkWebhookForm, readWebhookForm, type TypedWebhook } from './form-input.ts';
import { openStore } from './own-webhook.ts';
import { webhookSecret } from './secret.tsx';

const nothingTyped: TypedWebhook = { name: '', url: '', events: [] };

/** `GET /account/webhooks/{alias}/new`. Shows the form again with status 422 for errors. */
export async function showNewWebhook(
  c: Context<AppEnv>,
  context: PageContext,
  {
    typed = nothingTyped,
    faults = [],
  }: { typed?: TypedWebhook; faults?: readonly WebhookFormError[] } = {},
) {
  const { store } = openStore(c, context);
  const action = webhookPaths.create(store.alias);
  const page = (
    <WebhookFormPage
      {...{ action, typed, store }}
      dashboard={buildDashboardLayoutProps(c, context, 'webhooks', action)}
      formToken={await sealFormToken(c, context, action)}
      errors={faults}
      back={browserPaths.webhooks}
    />
  );
  return renderPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}

/** Creates a webhook by the function of the API, and shows its secret once. */
export async function submitNewWebhook(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const { store, db, actor } = openStore(c, context);
  const settings = settingsOf(c.env);
  const typed = readWebhookForm(form);
  const checked = await checkWebhookForm(typed, settings);
  if ('faults' in checked) return showNewWebhook(c, context, { typed, faults: checked.faults });
  try {
    const values = { ...checked.values, active: true };
    const created = await createEndpoint(db, actor, values, settings.sealingKeys);
    if (!created) throw new Error('no webhook');
    await webhookSecret.stash(c, context, { id: created.id, secret: created.secret_key });
    return c.redirect(`${webhookPaths.secret(store.alias, created.id)}?done=created`, 303);
  } catch (error) {
    if (!(error instanceof TooManyEndpointsError)) throw error;
    return showNewWebhook(c, context, { typed, faults: ['tooMany'] });
  }
}
