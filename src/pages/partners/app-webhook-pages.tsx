import * as z from 'zod';
import {
  removeAppWebhook,
  rotateAppSecret,
  rotationEnd,
  setAppWebhook,
} from '../../accounts/partners/app-webhook.ts';
import { url as urlField } from '../../base/codecs/fields/string-formats.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { appPaths } from '../../base/page-paths.ts';
import { listAppDeliveries } from '../../data/directory/app-deliveries.ts';
import { findAppWebhook } from '../../data/directory/app-webhook-secrets.ts';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormProps,
} from '../../web/components/form-fields.tsx';
import { Interpolate, UntrustedName, FlashMessage } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { readText } from '../../web/forms/form-values.ts';
import { confirmation, userForm } from '../../web/forms/form.tsx';
import { ShownOnce } from '../../web/forms/received-form.ts';
import type { SignedInPage } from '../../web/page.ts';
import { checkUrl } from '../../webhooks/check-url.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { WebhookSecretPage } from '../webhooks/shown-secret.tsx';
import { formatResult } from '../webhooks/webhook-texts.tsx';
import { ofApps, requireOwnApp } from './partner-apps.tsx';

const clientId = ':clientId';

const flashes = ['saved', 'removed'] as const;

/**
 * `/partners/{client id}/webhook`: the webhook of the app itself, its address and its latest
 * deliveries.
 */
export const appWebhookForm = userForm({
  ...ofApps,
  // Events go there, and the next page shows the first secret.
  proof: true,
  path: appPaths.webhook(clientId),
  load: loadAppWebhook,
  fields: ({ webhookForms: { errors: t } }) =>
    z.object({
      url: readText((text) => {
        const url = text.trim();
        if (url === '') return { error: t.urlMissing };
        return urlField().safeParse(url).success ? url : { error: t.urlWrong };
      }),
    }),
  render: (page, loaded, form) => <AppWebhookPage {...{ page, form }} {...loaded} />,
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

async function loadAppWebhook(page: SignedInPage) {
  const { client_id: id, name } = await requireOwnApp(page);
  const [webhook, deliveries] = await Promise.all([
    findAppWebhook(page.directory, id),
    listAppDeliveries(page.directory, id),
  ]);
  return { id, name, webhook, deliveries };
}

type AppWebhook = Awaited<ReturnType<typeof loadAppWebhook>>;

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
      {...{ page, name }}
      part="partners/apps"
      secret={made?.clientId === id ? made.secret : undefined}
      isFirst
      webhookHref={appPaths.webhook(id)}
    />
  );
}

/**
 * Loads the app; redirects where there is no webhook, or during a rotation, which must end before
 * another one starts.
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

/**
 * `/partners/{client id}/webhook/rotate`: replaces the secret; the next page shows the new one
 * once.
 */
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
  proof: true,
  path: appPaths.webhookRemoval(clientId),
  load: (page) => loadWebhook(page, 'remove'),
  ask: (page, app) => askAbout(page, app, 'remove'),
  async submit(page) {
    const { client_id: id } = await requireOwnApp(page);
    await removeAppWebhook(page.action, id);
    return page.redirect(`${appPaths.webhook(id)}?done=removed`);
  },
});

const tones = { active: 'good', failing: 'warn', off: 'danger' } as const;
const deliveryTones = { delivered: 'good', waiting: 'warn', givenUp: 'danger' } as const;

const stateOf = ({ active, failing_since: since }: NonNullable<AppWebhook['webhook']>) => {
  if (!active) return 'off';
  return since === null ? 'active' : 'failing';
};

const progressOf = ({ delivered_at: at, due_at: due }: AppWebhook['deliveries'][number]) => {
  if (at !== null) return 'delivered';
  return due === null ? 'givenUp' : 'waiting';
};

/** The webhook of an app itself: its address, its state and its latest deliveries. */
const AppWebhookPage = ({
  page,
  id,
  name,
  webhook,
  deliveries,
  form,
}: AppWebhook & { page: SignedInPage; form: FormProps }) => {
  const { language, messages } = page;
  const { appWebhook: t } = messages;
  const state = webhook && stateOf(webhook);
  const rotatingUntil = webhook && rotationEnd(webhook, page.now);
  const flash = form.sent ? undefined : page.done(flashes);
  const time = (at: number) => <FormattedTime {...{ language, at }} zone={defaultZone} />;
  return (
    <DashboardLayout {...page.dashboard('partners/apps')} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ app: <UntrustedName {...{ name }} /> }} />
      </h1>
      <FlashMessage text={flash && t.flash[flash]} />
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <p>{t.lead}</p>
      {state && (
        <p>
          {t.state}: <StateBadge tone={tones[state]} text={t[state]} />
        </p>
      )}
      {state === 'off' && <p class="notice danger">{t.offHint}</p>}
      {rotatingUntil !== undefined && (
        <p class="notice">
          <Interpolate text={t.rotating} parts={{ time: time(rotatingUntil) }} />
        </p>
      )}
      <form method="post" action={form.action} novalidate>
        <FormTokenInput formToken={form.formToken} />
        <TextField
          name="url"
          label={t.url}
          hint={t.urlHint}
          type="url"
          value={form.sent?.get('url') ?? webhook?.url ?? ''}
          autocomplete="off"
          error={form.errors[0]?.text}
        />
        <div class="actions">
          <a class="button plain" href={appPaths.app(id)}>
            {messages.partnerTools.trial.back}
          </a>
          <button>{state ? t.save : t.create}</button>
        </div>
      </form>
      {state && (
        <p class="actions">
          {rotatingUntil === undefined && (
            <a class="button plain" href={appPaths.webhookRotation(id)}>
              {t.rotate}
            </a>
          )}
          <a class="button danger" href={appPaths.webhookRemoval(id)}>
            {t.remove}
          </a>
        </p>
      )}
      <h2>{t.events}</h2>
      <dl class="facts">
        {Object.entries(t.hints).map(([event, hint]) => (
          <>
            <dt>
              <code>{event}</code>
            </dt>
            <dd>{hint}</dd>
          </>
        ))}
      </dl>
      {state && <h2>{t.deliveries}</h2>}
      {state && deliveries.length === 0 && <EmptyState text={t.none} />}
      {deliveries.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={deliveries}
          columns={[
            { label: t.columns.event, cell: ({ event }) => <code>{event}</code> },
            { label: t.columns.at, cell: ({ created_at: at }) => time(at) },
            {
              label: t.columns.state,
              cell: (delivery) => {
                const { response_status: status, error, attempts } = delivery;
                const reached = progressOf(delivery);
                return (
                  <>
                    <StateBadge tone={deliveryTones[reached]} text={t.states[reached]} />
                    {attempts > 0 && ` ${formatResult({ status, error }, language)}`}
                  </>
                );
              },
            },
            {
              label: t.columns.attempts,
              cell: ({ attempts }) => attempts.toLocaleString(language),
            },
          ]}
        />
      )}
    </DashboardLayout>
  );
};
