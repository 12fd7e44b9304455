import {
  ErrorSummary,
  FieldError,
  FormTokenInput,
  FormActions,
} from '../components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import { formatResult, type RequestResult } from './webhook-texts.tsx';

/** Which held deliveries are sent. */
export const resumeChoices = ['72h', 'all', 'none'] as const;

export type ResumeChoice = (typeof resumeChoices)[number];

/** Why a webhook was not resumed. */
export type ResumeError =
  | { kind: 'notChosen' }
  | { kind: 'urlRefused' }
  | { kind: 'tooSoon' }
  | { kind: 'appRefused' }
  | ({ kind: 'unanswered' } & RequestResult);

interface RefusedApp {
  name: string;
  /** Whether it is connected to the store; if so, it lacks a permission. */
  isConnected: boolean;
}

interface ResumePageProps {
  dashboard: DashboardProps;
  name: string;
  host: string;
  /** The app that created the webhook, if it may not hear all its events now. The webhook cannot be resumed then. */
  refusedApp: RefusedApp | undefined;
  /** Number of held deliveries; `mayBeMore` if only a sample was counted. */
  held: number;
  mayBeMore: boolean;
  /** Whether the receiver must first accept a ping. */
  requiresPing: boolean;
  chosen: ResumeChoice;
  error?: ResumeError | undefined;
  action: string;
  formToken: string;
  back: string;
}

/** Asks which held deliveries are sent when the webhook is resumed. */
export const ResumePage = ({ dashboard, held, mayBeMore, error, ...props }: ResumePageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const t = messages.webhooks.resume;
  const errorText =
    error === undefined || error.kind === 'appRefused'
      ? undefined
      : t.errors[error.kind].replace('{answer}', () =>
          error.kind === 'unanswered' ? formatResult(error, language) : '',
        );
  const choiceError = error?.kind === 'notChosen' ? errorText : undefined;
  if (props.refusedApp !== undefined)
    return <AppRefused {...{ dashboard, ...props }} app={props.refusedApp} />;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>
        <Interpolate text={t.question} parts={{ name: <UntrustedName name={props.name} /> }} />
      </h1>
      {errorText && (
        <ErrorSummary
          title={messages.errorSummary}
          errors={[{ text: errorText, ...(choiceError && { field: 'resume-72h' }) }]}
        />
      )}
      {props.requiresPing && (
        <p>
          <Interpolate text={t.pinged} parts={{ host: <code>{props.host}</code> }} />
        </p>
      )}
      <p>{t[mayBeMore ? 'heldMany' : 'held'].replace('{count}', held.toLocaleString(language))}</p>
      <form method="post" action={props.action} class="narrow">
        <FormTokenInput formToken={props.formToken} />
        <fieldset aria-describedby={choiceError && 'resume-error'}>
          <legend>{t.choose}</legend>
          {resumeChoices.map((choice) => (
            <label class="check" for={`resume-${choice}`}>
              <input
                id={`resume-${choice}`}
                type="radio"
                name="resume"
                value={choice}
                checked={choice === props.chosen}
              />
              {t.choices[choice]}
            </label>
          ))}
          <FieldError name="resume" error={choiceError} />
        </fieldset>
        <p class="muted">{t.pace}</p>
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.submit}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};

/** Explains why the webhook cannot be resumed. */
const AppRefused = ({ dashboard, name, app, back }: AppRefusedProps) => {
  const { webhooks } = messagesFor(dashboard.layout.language);
  return (
    <DashboardLayout {...dashboard} title={webhooks.resume.title}>
      <h1>
        <Interpolate
          text={webhooks.resume.question}
          parts={{ name: <UntrustedName name={name} /> }}
        />
      </h1>
      <p class="notice danger" role="alert">
        <Interpolate
          text={webhooks.resume[app.isConnected ? 'appNotAllowed' : 'appDisconnected']}
          parts={{ app: <UntrustedName name={app.name} /> }}
        />
      </p>
      <div class="actions">
        <a class="button plain" href={back}>
          {webhooks.ping.back}
        </a>
      </div>
    </DashboardLayout>
  );
};

type AppRefusedProps = Pick<ResumePageProps, 'dashboard' | 'name' | 'back'> & { app: RefusedApp };
