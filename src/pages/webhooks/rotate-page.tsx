import {
  ErrorSummary,
  FieldError,
  FormTokenInput,
  FormActions,
} from '../components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import { FormattedTime } from '../components/time.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** How long the old secret stays valid. */
export const rotationChoices = ['day', 'week', 'none'] as const;

export type RotationError = 'notChosen';

interface RotatePageProps {
  dashboard: DashboardProps;
  name: string;
  /** How far a rotation is. */
  state: 'single' | 'overlap' | 'committed';
  /** End of this state, epoch milliseconds. */
  until: number | null;
  zone: string;
  error: RotationError | undefined;
  action: string;
  formToken: string;
  back: string;
}

/** The two steps that replace the signing secret of a webhook. */
export const RotatePage = ({ dashboard, state, until, error, ...props }: RotatePageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const t = messages.webhookForms.rotate;
  const name = <UntrustedName name={props.name} />;
  const errorText = error && t.errors[error];
  const isFirstStep = state === 'single';
  const time = until !== null && <FormattedTime {...{ language }} zone={props.zone} at={until} />;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>
        <Interpolate text={t.question} parts={{ name }} />
      </h1>
      {errorText && (
        <ErrorSummary
          title={messages.errorSummary}
          errors={[{ text: errorText, field: 'overlap-day' }]}
        />
      )}
      {isFirstStep ? (
        <p>{t.lead}</p>
      ) : (
        <p class="notice">
          <Interpolate text={t[state]} parts={{ time: time || '' }} />
        </p>
      )}
      {state === 'committed' ? (
        <p class="actions">
          <a class="button" href={props.back}>
            {messages.webhooks.ping.back}
          </a>
        </p>
      ) : (
        <form method="post" action={props.action} novalidate>
          <FormTokenInput formToken={props.formToken} />
          {isFirstStep ? <OverlapChoice error={errorText} t={t} /> : <p>{t.finishLead}</p>}
          <FormActions back={props.back} cancel={messages.account.cancel}>
            <button name="step" value={isFirstStep ? 'start' : 'finish'}>
              {isFirstStep ? t.start : t.finish}
            </button>
          </FormActions>
        </form>
      )}
    </DashboardLayout>
  );
};

const OverlapChoice = ({
  error,
  t,
}: {
  error: string | undefined;
  t: ReturnType<typeof messagesFor>['webhookForms']['rotate'];
}) => (
  <fieldset aria-describedby={error && 'overlap-error'}>
    <legend>{t.overlapQuestion}</legend>
    {rotationChoices.map((choice) => (
      <label class="check" for={`overlap-${choice}`}>
        <input
          id={`overlap-${choice}`}
          type="radio"
          name="overlap"
          value={choice}
          checked={choice === 'day'}
        />
        <span>{t.choices[choice]}</span>
      </label>
    ))}
    <FieldError name="overlap" error={error} />
  </fieldset>
);
