import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import { findAppWebhook } from '../../db/directory/app-webhooks.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate, UntrustedName } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { WebhookSecretPage } from '../../pages/webhooks/webhook-secret-page.tsx';
import {
  removeAppWebhook,
  rotateAppSecret,
  rotationEnd,
} from '../../people/partners/app-webhook.ts';
import { ShownOnce } from '../../session/forms/shown-once.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { buildPartnerLayoutProps } from '../dashboard.ts';
import { requireOwnApp } from '../own-app.ts';
import { appPaths } from '../paths.ts';

/** A new signing secret and its app. */
export const shownSecret = new ShownOnce<{ clientId: string; secret: string }>(
  'made-app-secret',
  'created-app-webhook-secret',
);

/** `GET /partners/{client id}/webhook/secret`: shows a new secret. A reload no longer shows it. */
export async function showAppSecret(c: Context<AppEnv>, context: PageContext) {
  const { client_id: clientId, name } = await requireOwnApp(c, context);
  const made = await shownSecret.take(c, context);
  const dashboard = buildPartnerLayoutProps(c, context, 'apps', appPaths.webhookSecret(clientId));
  const page = (
    <WebhookSecretPage
      // No language switch: the secret is gone once the page is requested again.
      dashboard={{ ...dashboard, layout: { ...dashboard.layout, languageHrefs: undefined } }}
      name={name}
      secret={made?.clientId === clientId ? made.secret : undefined}
      isFirst
      webhookHref={appPaths.webhook(clientId)}
    />
  );
  return renderPage(c, page);
}

const pathOf = { rotate: appPaths.webhookRotation, remove: appPaths.webhookRemoval };

/** Asks before a secret is replaced or the webhook is removed. Leads back if that is not possible now. */
export const showAppWebhookDeed =
  (deed: 'rotate' | 'remove') => async (c: Context<AppEnv>, context: PageContext) => {
    const { client_id: clientId, name } = await requireOwnApp(c, context);
    const back = appPaths.webhook(clientId);
    const webhook = await findAppWebhook(openDatabase(c.env.DIRECTORY), clientId);
    const isRotating = deed === 'rotate' && webhook && rotationEnd(webhook, context.now);
    if (!webhook || isRotating) return c.redirect(back, 303);
    const action = pathOf[deed](clientId);
    const dashboard = buildPartnerLayoutProps(c, context, 'apps', action);
    const { appWebhook: t } = messagesFor(dashboard.layout.language);
    const page = (
      <ConfirmPage
        {...{ dashboard, action, back }}
        title={t[deed]}
        question={
          <Interpolate text={t[`${deed}Question`]} parts={{ app: <UntrustedName name={name} /> }} />
        }
        paragraphs={[t[`${deed}Lead`]]}
        formToken={await sealFormToken(c, context, action)}
        submit={t[deed]}
        isDangerous={deed === 'remove'}
      />
    );
    return renderPage(c, page);
  };

/** Replaces the secret; the next page shows the new one once. */
export async function submitRotation(c: Context<AppEnv>, context: PageContext) {
  const { client_id: clientId } = await requireOwnApp(c, context);
  const secret = await rotateAppSecret(pageDeed(c, context), clientId);
  if (secret === undefined) return c.redirect(appPaths.webhook(clientId), 303);
  await shownSecret.stash(c, context, { clientId, secret });
  return c.redirect(appPaths.webhookSecret(clientId), 303);
}

/** Removes the webhook with its deliveries. */
export async function submitWebhookRemoval(c: Context<AppEnv>, context: PageContext) {
  const { client_id: clientId } = await requireOwnApp(c, context);
  await removeAppWebhook(pageDeed(c, context), clientId);
  return c.redirect(`${appPaths.webhook(clientId)}?done=removed`, 303);
}
