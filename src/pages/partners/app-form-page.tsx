import { RadioField } from '../components/choice-fields.tsx';
import {
  ErrorSummary,
  FieldError,
  FormTokenInput,
  TextArea,
  TextField,
  describedByIds,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import type { ScopeName } from '../components/scope-list.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** An error in the form of an app. */
export type AppFormError =
  | { field: 'name' | 'publisher' | 'redirect_uris' | 'scopes'; kind: MessageKey }
  | {
      field: 'redirect_uris';
      kind: 'uri';
      line: number;
      problem: keyof Messages['partners']['uris'];
    }
  | { field?: undefined; kind: 'tooMany' };

type MessageKey =
  | `${'name' | 'publisher'}${'Missing' | 'Long'}`
  | 'urisMissing'
  | 'urisMany'
  | 'scopesMissing'
  | 'scopesUnknown';

function appFormErrorText(error: AppFormError, { form, uris }: Messages['partners']): FormError {
  if (error.kind === 'uri') {
    const text = form.line
      .replace('{line}', String(error.line))
      .replace('{problem}', uris[error.problem]);
    return { field: error.field, text };
  }
  const text = form[error.kind];
  return error.field === undefined ? { text } : { field: error.field, text };
}

interface OfferedScope {
  scope: ScopeName;
  isChosen: boolean;
  isDangerous: boolean;
}

/** A partner whose team the user is in. */
export interface AppOwner {
  value: string;
  name: string;
}

interface AppFormPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** Name of the app that is edited; absent for a new one. */
  appName?: string | undefined;
  /** The submitted or stored values. */
  typed: { name: string; publisher: string; redirectUris: string };
  scopes: readonly OfferedScope[];
  errors: readonly AppFormError[];
  back: string;
  /** Whom a new app may belong to besides the user, whose value is `self`. */
  owners?: readonly AppOwner[];
  owner?: string;
  self?: string;
}

/** The form that registers or edits an app. */
export const AppFormPage = ({ dashboard, typed, errors, appName, ...props }: AppFormPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.partners.form;
  const { team } = messages.partnerTools;
  const formErrors = errors.map((error) => appFormErrorText(error, messages.partners));
  const errorOf = (name: string) =>
    formErrors
      .filter(({ field }) => field === name)
      .map(({ text }) => text)
      .join('\n') || undefined;
  const title =
    appName === undefined ? (
      t.register
    ) : (
      <Interpolate text={t.edit} parts={{ app: <UntrustedName name={appName} /> }} />
    );
  return (
    <DashboardLayout {...dashboard} title={appName ?? t.register}>
      <h1>{title}</h1>
      {formErrors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={formErrors} />}
      <form method="post" action={props.action} novalidate>
        <FormTokenInput formToken={props.formToken} />
        {props.owners && props.owners.length > 0 && (
          <RadioField
            name="owner"
            label={team.owner}
            value={props.owner}
            options={[
              { value: props.self ?? '', text: team.myself, meaning: team.ownerMine },
              ...props.owners.map(({ value, name }) => ({
                value,
                text: name,
                meaning: team.ownerOthers,
              })),
            ]}
          />
        )}
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
          name="publisher"
          label={t.publisher}
          hint={t.publisherHint}
          type="text"
          value={typed.publisher}
          autocomplete="organization"
          error={errorOf('publisher')}
        />
        <TextArea
          name="redirect_uris"
          label={t.uris}
          hint={t.urisHint}
          value={typed.redirectUris}
          error={errorOf('redirect_uris')}
        />
        <ScopeCheckboxes offered={props.scopes} messages={messages} error={errorOf('scopes')} />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{appName === undefined ? t.register : t.save}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};

const ScopeCheckboxes = ({
  offered,
  messages,
  error,
}: {
  offered: readonly OfferedScope[];
  messages: Messages;
  error: string | undefined;
}) => {
  const { scopes: legend, scopesHint: hint, careful } = messages.partners.form;
  const name = 'scopes';
  return (
    <fieldset
      class="field"
      id={name}
      tabindex={-1}
      aria-describedby={describedByIds({ name, hint, error })}
    >
      <legend>{legend}</legend>
      <p class="hint" id={`${name}-hint`}>
        {hint}
      </p>
      <FieldError name={name} error={error} />
      {offered.map(({ scope, isChosen, isDangerous }) => (
        <label class="check">
          <input type="checkbox" name={name} value={scope} checked={isChosen} />
          <span>
            {messages.scopes.meanings[scope]} {isDangerous && <span class="tag">{careful}</span>}
            <code>{scope}</code>
          </span>
        </label>
      ))}
    </fieldset>
  );
};
