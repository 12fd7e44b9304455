import * as z from 'zod';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import { url as urlField } from '../../base/codecs/fields/string-formats.ts';
import { HttpError, notFound, ValidationError } from '../../base/errors.ts';
import { browserPaths, guidePath, webhookPaths } from '../../base/page-paths.ts';
import { Role } from '../../base/roles.ts';
import { eventNames, type EventName } from '../../data/grants/event-catalogue.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import type { FieldView, FormView } from '../../web/forms/form-page.tsx';
import { fieldIssue, formLine, readText, sentValues, ticked } from '../../web/forms/form-values.ts';
import { userForm } from '../../web/forms/form.tsx';
import type { SignedInPage } from '../../web/page.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { checkUrl } from '../../webhooks/check-url.ts';
import { createEndpoint, TooManyEndpointsError } from '../../webhooks/endpoints/create-endpoint.ts';
import { AppDisconnectedError } from '../../webhooks/endpoints/endpoint-consent.ts';
import { PingFailedError } from '../../webhooks/endpoints/ping.ts';
import { updateEndpointUrl } from '../../webhooks/endpoints/update-url.ts';
import { openOwnStore } from '../open-own-store.ts';
import { isPingThrottled, openOwnWebhook, requireEndpoint, sendingOf } from './own-webhook.ts';
import { webhookSecret } from './webhook-secret.tsx';
import { describeEvent } from './webhook-texts.tsx';

const [alias, id] = [':alias', ':id'];

/** The events by their subject, in the order of the form. */
const eventGroups: readonly [keyof Messages['webhookForms']['groups'], readonly EventName[]][] = [
  [
    'orders',
    ['order.created', 'order.paid', 'order.status.updated', 'transaction.payment.refused'],
  ],
  ['invoices', ['order.invoice.created', 'order.invoice.updated']],
  ['customers', ['customer.created', 'customer.address.created', 'cart.reminder']],
  [
    'products',
    [
      'product.created',
      'product.updated',
      'product.deleted',
      'product.inventory.updated',
      'catalog.import_completed',
    ],
  ],
];

const maxNameLength = 100;

/** The form by the rules of the API. Unknown events are ignored. */
const webhookFields = ({ webhookForms }: Messages, page: SignedInPage) => {
  const t = webhookForms.errors;
  return z.object({
    name: formLine(maxNameLength, { missing: t.nameMissing, long: t.nameLong }),
    url: readText((text) => {
      const sent = text.trim();
      if (sent === '') return { error: t.urlMissing };
      return urlField().safeParse(sent).success ? sent : { error: t.urlWrong };
    }).check(async (payload) => {
      if (payload.issues.length > 0) return;
      const { settings, deps } = sendingOf(page);
      const message = await checkUrl(payload.value, settings, deps);
      if (message !== undefined) payload.issues.push(fieldIssue(payload.value, t.urlRefused));
    }),
    events: sentValues
      .transform((chosen) =>
        eventNames.filter((name) => chosen.includes('all') || chosen.includes(name)),
      )
      .refine((events) => events.length > 0, t.eventsMissing),
    ordered: ticked,
  });
};

/** The fields of a webhook, with their stored values. */
const webhookView = (
  { messages, language, store, settings, now }: SignedInPage,
  stored?: { name: string; url: string; events: readonly EventName[]; ordered: boolean },
): Pick<FormView, 'intro' | 'fields' | 'isWide' | 'beside' | 'scripts'> => {
  const t = messages.webhookForms;
  const events = stored?.events ?? [];
  // Where the name of an event does not say it.
  const hints: Readonly<Partial<Record<EventName, string>>> = t.hints;
  const fields: FieldView[] = [
    { name: 'name', label: t.name, hint: t.nameHint, type: 'text', value: stored?.name ?? '' },
    { name: 'url', label: t.url, hint: t.urlHint, type: 'url', value: stored?.url ?? '' },
    {
      name: 'events',
      label: t.events,
      hint: t.eventsHint,
      type: 'checkboxes',
      groups: eventGroups.map(([group, names]) => ({
        label: t.groups[group],
        options: names.map((event) => ({
          value: event,
          text: (
            <>
              {describeEvent(event, language)}
              {hints[event] !== undefined && <span class="meaning">{hints[event]}</span>}
              <code>{event}</code>
            </>
          ),
        })),
      })),
      whole: { all: t.allEvents, allMeaning: t.allEventsMeaning, some: t.someEvents },
      value: [...events, ...(events.length === eventNames.length ? ['all'] : [])],
    },
    {
      name: 'ordered',
      label: t.ordered,
      hint: t.orderedHint,
      type: 'checkbox',
      isTicked: stored?.ordered ?? false,
    },
  ];
  const intro = (
    <p class="muted">
      <bdi>{store.name}</bdi> ({store.alias})
    </p>
  );
  const example = {
    event: 'order.paid',
    time: formatLocalTime(now, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource: { id: 14, number: 1042 },
  };
  const value = `POST ${stored ? new URL(stored.url).pathname : '/hooks'}
webhook-id: 4f1c…
webhook-signature: v1,…
X-${settings.serviceName}-Topic: order.paid

${JSON.stringify(example, null, 2)}`;
  const content = (
    <>
      <p>{t.exampleLead}</p>
      <CopyableCode {...{ language, value }} label={describeEvent('order.paid', language)} />
      <a class="target" href={guidePath(language, 'webhooks')}>
        {messages.navigation.webhooks}
      </a>
    </>
  );
  return {
    intro,
    fields,
    isWide: true,
    beside: { title: t.example, content },
    scripts: [copyButtonScript],
  };
};

/**
 * `/account/webhooks/{alias}/new`: creates a webhook by the function of the API, and shows its
 * secret once.
 */
export const webhookCreateForm = userForm({
  path: webhookPaths.create(alias),
  role: Role.manager,
  // The secret is shown next.
  proof: true,
  limit: 'webhooks',
  part: 'webhooks',
  fields: webhookFields,
  view(page) {
    const { create } = page.messages.webhookForms;
    return { title: create, ...webhookView(page), submit: create, back: browserPaths.webhooks };
  },
  async submit(page, values) {
    const { db, actor } = openOwnStore(page);
    const { sealingKeys } = page.settings;
    try {
      const created = await createEndpoint(db, actor, { ...values, active: true }, sealingKeys);
      if (!created) throw new Error('no webhook');
      await webhookSecret.stash(page, { id: created.id, secret: created.secret_key });
      const secretPath = webhookPaths.secret(page.store.alias, created.id);
      return page.redirect(`${secretPath}?done=created`);
    } catch (error) {
      if (!(error instanceof TooManyEndpointsError)) throw error;
      return { errors: [{ text: page.messages.webhookForms.errors.tooMany }] };
    }
  },
});

/**
 * `/account/webhooks/{alias}/{id}/edit`: changes a webhook by the function of the API. A webhook
 * that was switched off must answer a ping at its new address. The status is 422 when it does not,
 * 429 within ten seconds of the store's last ping.
 */
export const webhookEditForm = userForm({
  path: webhookPaths.edit(alias, id),
  role: Role.manager,
  // It may change where data go.
  proof: true,
  limit: 'webhooks',
  part: 'webhooks',
  load: requireEndpoint,
  fields: webhookFields,
  view(page, endpoint) {
    const t = page.messages.webhookForms;
    const name = <UntrustedName name={endpoint.name} />;
    return {
      title: t.edit,
      heading: <Interpolate text={t.editNamed} parts={{ name }} />,
      ...webhookView(page, endpoint),
      submit: t.save,
      back: webhookPaths.details(page.store.alias, endpoint.id),
    };
  },
  async submit(page, values) {
    const webhook = openOwnWebhook(page);
    const t = page.messages.webhookForms.errors;
    try {
      const { db, actor } = webhook;
      const sending = sendingOf(page);
      if (!(await updateEndpointUrl(db, actor, webhook.id, values, sending))) throw notFound();
    } catch (error) {
      if (error instanceof PingFailedError) return { errors: [{ text: t.unanswered }] };
      if (isPingThrottled(error)) {
        return { errors: [{ text: t.tooSoon }], status: 429, headers: error.headers };
      }
      const isForbidden = error instanceof HttpError && error.status === 403;
      if (isForbidden || error instanceof AppDisconnectedError) {
        return { errors: [{ text: t.appRefused }] };
      }
      if (error instanceof ValidationError)
        return { errors: [{ field: 'url', text: t.urlRefused }] };
      throw error;
    }
    return page.redirect(`${webhookPaths.details(page.store.alias, webhook.id)}?done=edited`);
  },
});
