import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormProps,
} from '../../web/components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import { formatResult, type RequestResult } from '../webhooks/webhook-texts.tsx';

interface AppWebhookPageProps {
  dashboard: DashboardProps;
  appName: string;
  /** `undefined` before there is one. */
  state: 'active' | 'failing' | 'off' | undefined;
  /** The end of a rotation of secrets, epoch milliseconds. */
  rotatingUntil: number | undefined;
  /** The stored one. */
  url: string;
  deliveries: readonly {
    event: string;
    /** Epoch milliseconds. */
    at: number;
    attempts: number;
    /** The latest attempt. */
    result: RequestResult;
    state: 'delivered' | 'waiting' | 'givenUp';
  }[];
  zone: string;
  form: FormProps;
  rotationHref: string;
  removalHref: string;
  back: string;
  flash: 'saved' | 'removed' | undefined;
}

const tones = { active: 'good', failing: 'warn', off: 'danger' } as const;
const deliveryTones = { delivered: 'good', waiting: 'warn', givenUp: 'danger' } as const;

/** The webhook of an app itself: its address, its state and its latest deliveries. */
export const AppWebhookPage = ({ dashboard, state, form, ...props }: AppWebhookPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { appWebhook: t } = messages;
  const time = (at: number) => <FormattedTime {...{ language, at }} zone={props.zone} />;
  return (
    <DashboardLayout {...dashboard} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ app: <UntrustedName name={props.appName} /> }} />
      </h1>
      <FlashMessage text={props.flash && t.flash[props.flash]} />
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
      {props.rotatingUntil !== undefined && (
        <p class="notice">
          <Interpolate text={t.rotating} parts={{ time: time(props.rotatingUntil) }} />
        </p>
      )}
      <form method="post" action={form.action} novalidate>
        <FormTokenInput formToken={form.formToken} />
        <TextField
          name="url"
          label={t.url}
          hint={t.urlHint}
          type="url"
          value={form.sent?.get('url') ?? props.url}
          autocomplete="off"
          error={form.errors[0]?.text}
        />
        <div class="actions">
          <a class="button plain" href={props.back}>
            {messages.partnerTools.trial.back}
          </a>
          <button>{state ? t.save : t.create}</button>
        </div>
      </form>
      {state && (
        <p class="actions">
          {props.rotatingUntil === undefined && (
            <a class="button plain" href={props.rotationHref}>
              {t.rotate}
            </a>
          )}
          <a class="button danger" href={props.removalHref}>
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
      {state && props.deliveries.length === 0 && <EmptyState text={t.none} />}
      {props.deliveries.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={props.deliveries}
          columns={[
            { label: t.columns.event, cell: ({ event }) => <code>{event}</code> },
            { label: t.columns.at, cell: ({ at }) => time(at) },
            {
              label: t.columns.state,
              cell: ({ state: reached, result, attempts }) => (
                <>
                  <StateBadge tone={deliveryTones[reached]} text={t.states[reached]} />
                  {attempts > 0 && ` ${formatResult(result, language)}`}
                </>
              ),
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
