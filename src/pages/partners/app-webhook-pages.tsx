import * as z from 'zod';
import {
  removeAppWebhook,
  rotateAppSecret,
  rotationEnd,
  setAppWebhook,
} from '../../accounts/partners/app-webhook.ts';
import { url as urlField } from '../../base/codecs/fields/string-formats.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { listAppDeliveries } from '../../data/directory/app-deliveries.ts';
import { findAppWebhook } from '../../data/directory/app-webhook-secrets.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { readText } from '../../web/forms/fields.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/shown-once.ts';
import type { SignedInPage } from '../../web/page.ts';
import { appPaths } from '../../web/paths.ts';
import { checkUrl } from '../../webhooks/check-url.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { WebhookSecretPage } from '../webhooks/webhook-secret-page.tsx';
import { AppWebhookPage } from './app-webhook-page.tsx';
import { ofApps, requireOwnApp } from './partner-apps.tsx';

const clientId = ':clientId';

const flashes = ['saved', 'removed'] as const;

/** `/partners/{client id}/webhook`: the webhook of the app itself, its address and its latest deliveries. */
export const appWebhookForm = userForm({
  ...ofApps,
  // Events go there, and the next page shows the first secret.
  proof: true,
  path: appPaths.webhook(clientId),
  async load(page) {
    const { client_id: id, name } = await requireOwnApp(page);
    const [webhook, deliveries] = await Promise.all([
      findAppWebhook(page.directory, id),
      listAppDeliveries(page.directory, id),
    ]);
    return { id, name, webhook, deliveries };
  },
  fields: ({ webhookForms: { errors: t } }) =>
    z.object({
      url: readText((text) => {
        const url = text.trim();
        if (url === '') return { error: t.urlMissing };
        return urlField().safeParse(url).success ? url : { error: t.urlWrong };
      }),
    }),
  render(page, { id, name, webhook, deliveries }, form) {
    return (
      <AppWebhookPage
        {...{ form }}
        dashboard={page.dashboard('partners/apps')}
        appName={name}
        state={
          webhook &&
          (!webhook.active ? 'off' : webhook.failing_since === null ? 'active' : 'failing')
        }
        rotatingUntil={webhook && rotationEnd(webhook, page.now)}
        url={webhook?.url ?? ''}
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
        rotationHref={appPaths.webhookRotation(id)}
        removalHref={appPaths.webhookRemoval(id)}
        back={appPaths.app(id)}
        flash={form.sent ? undefined : page.done(flashes)}
      />
    );
  },
  async submit(page, { url }) {
    const { client_id: id, name } = await requireOwnApp(page);
    const message = await checkUrl(url, page.settings, defaultDeliveryDeps);
    if (message !== undefined) {
      return { errors: [{ field: 'url', text: page.messages.webhookForms.errors.urlRefused }] };
    }
    const secret = await setAppWebhook(page.action, { clientId: id, name, url });
    return secret === undefined
      ? page.redirect(`${appPaths.webhook(id)}?done=saved`)
      : showSecretNext(page, id, secret);
  },
});

/** A new signing secret and its app. */
const shownSecret = new ShownOnce<{ clientId: string; secret: string }>(
  'made-app-secret',
  'created-app-webhook-secret',
);

/** Redirects to the page that shows a new secret once. */
async function showSecretNext(page: SignedInPage, id: string, secret: string) {
  await shownSecret.stash(page, { clientId: id, secret });
  return page.redirect(appPaths.webhookSecret(id));
}

/** `GET /partners/{client id}/webhook/secret`: shows a new secret. A reload no longer shows it. */
export async function showAppSecret(page: SignedInPage) {
  const { client_id: id, name } = await requireOwnApp(page);
  const made = await shownSecret.take(page);
  return (
    <WebhookSecretPage
      {...{ name }}
      dashboard={page.dashboard('partners/apps', null)}
      secret={made?.clientId === id ? made.secret : undefined}
      isFirst
      webhookHref={appPaths.webhook(id)}
    />
  );
}

/**
 * Loads the app; redirects where there is no webhook, or during a rotation, which must end before another one starts.
 */
async function loadWebhook(page: SignedInPage, action: 'rotate' | 'remove') {
  const app = await requireOwnApp(page);
  const webhook = await findAppWebhook(page.directory, app.client_id);
  const isRotating = action === 'rotate' && webhook && rotationEnd(webhook, page.now);
  return !webhook || isRotating ? page.redirect(appPaths.webhook(app.client_id)) : app;
}

/** The question before a secret is replaced or the webhook is removed. */
function askAbout(
  { messages: { appWebhook: t } }: SignedInPage,
  { client_id: id, name }: { client_id: string; name: string },
  action: 'rotate' | 'remove',
) {
  const parts = { app: <UntrustedName name={name} /> };
  return {
    question: <Interpolate text={t[`${action}Question`]} parts={parts} />,
    paragraphs: [t[`${action}Lead`]],
    submit: t[action],
    isDangerous: action === 'remove',
    back: appPaths.webhook(id),
  };
}

/** `/partners/{client id}/webhook/rotate`: replaces the secret; the next page shows the new one once. */
export const appRotationForm = confirmation({
  ...ofApps,
  // The secret is shown next.
  proof: true,
  path: appPaths.webhookRotation(clientId),
  load: (page) => loadWebhook(page, 'rotate'),
  ask: (page, app) => askAbout(page, app, 'rotate'),
  async submit(page) {
    const { client_id: id, name } = await requireOwnApp(page);
    const secret = await rotateAppSecret(page.action, { clientId: id, name });
    return secret === undefined
      ? page.redirect(appPaths.webhook(id))
      : showSecretNext(page, id, secret);
  },
});

/** `/partners/{client id}/webhook/remove`: removes the webhook with its deliveries. */
export const appWebhookRemovalForm = confirmation({
  ...ofApps,
  path: appPaths.webhookRemoval(clientId),
  load: (page) => loadWebhook(page, 'remove'),
  ask: (page, app) => askAbout(page, app, 'remove'),
  async submit(page) {
    const { client_id: id } = await requireOwnApp(page);
    await removeAppWebhook(page.action, id);
    return page.redirect(`${appPaths.webhook(id)}?done=removed`);
  },
});
