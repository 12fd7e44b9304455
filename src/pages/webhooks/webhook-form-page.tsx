import {
  ErrorSummary,
  FieldError,
  FormTokenInput,
  TextField,
  describedByIds,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import { describeEvent } from './webhook-texts.tsx';

type FormMessages = Messages['webhookForms'];
type EventName = keyof FormMessages['hints'];

/** What is wrong with a form, as a key of the messages. */
export type WebhookFormError = keyof FormMessages['errors'];

/** The events by what they are about, in the order of the form. */
const eventGroups: readonly [keyof FormMessages['groups'], readonly EventName[]][] = [
  ['orders', ['order.created', 'order.paid', 'order.status.updated']],
  ['invoices', ['order.invoice.created', 'order.invoice.updated']],
  ['payments', ['transaction.payment.refused']],
  ['carts', ['cart.reminder']],
  ['customers', ['customer.created', 'customer.address.created']],
  [
    'products',
    ['product.created', 'product.updated', 'product.deleted', 'product.inventory.updated'],
  ],
];

/** The field that an error stands beside; none for those of the whole form. */
const fieldOf = (error: WebhookFormError): 'name' | 'url' | 'events' | undefined =>
  (['name', 'url', 'events'] as const).find((field) => error.startsWith(field));

interface WebhookFormPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  store: { name: string; alias: string };
  /** Name of the webhook that is edited; absent for a new one. */
  webhookName?: string;
  /** The submitted or stored values. */
  typed: { name: string; url: string; events: readonly string[] };
  errors: readonly WebhookFormError[];
  back: string;
}

/** The form that creates or edits a webhook. */
export const WebhookFormPage = ({
  dashboard,
  store,
  webhookName,
  typed,
  errors,
  ...props
}: WebhookFormPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.webhookForms;
  const formErrors: FormError[] = errors.map((error) => {
    const field = fieldOf(error);
    return { text: t.errors[error], ...(field && { field }) };
  });
  const errorOf = (name: string) => formErrors.find(({ field }) => field === name)?.text;
  const isNew = webhookName === undefined;
  return (
    <DashboardLayout {...dashboard} title={isNew ? t.create : t.edit}>
      <h1>
        {isNew ? (
          t.create
        ) : (
          <Interpolate text={t.editNamed} parts={{ name: <UntrustedName name={webhookName} /> }} />
        )}
      </h1>
      {formErrors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={formErrors} />}
      <p class="muted">
        <bdi>{store.name}</bdi> ({store.alias})
      </p>
      <form method="post" action={props.action} novalidate>
        <FormTokenInput formToken={props.formToken} />
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          type="text"
          value={typed.name}
          autocomplete="off"
          error={errorOf('name')}
        />
        <TextField
          name="url"
          label={t.url}
          hint={t.urlHint}
          type="url"
          value={typed.url}
          autocomplete="off"
          error={errorOf('url')}
        />
        <EventCheckboxes
          chosen={typed.events}
          error={errorOf('events')}
          language={dashboard.layout.language}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{isNew ? t.create : t.save}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};

const EventCheckboxes = ({
  chosen,
  error,
  language,
}: {
  chosen: readonly string[];
  error: string | undefined;
  language: Parameters<typeof messagesFor>[0];
}) => {
  const { webhookForms: t } = messagesFor(language);
  const name = 'events';
  return (
    <fieldset
      class="field"
      id={name}
      tabindex={-1}
      aria-describedby={describedByIds({ name, hint: t.eventsHint, error })}
    >
      <legend>{t.events}</legend>
      <p class="hint" id={`${name}-hint`}>
        {t.eventsHint}
      </p>
      <FieldError name={name} error={error} />
      {eventGroups.map(([group, events]) => (
        <fieldset class="group">
          <legend>{t.groups[group]}</legend>
          {events.map((event) => (
            <label class="check">
              <input type="checkbox" name={name} value={event} checked={chosen.includes(event)} />
              <span>
                {describeEvent(event, language)}
                <span class="meaning">{t.hints[event]}</span>
                <code>{event}</code>
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </fieldset>
  );
};
