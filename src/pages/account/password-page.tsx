import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { formatWaitingTime } from '../components/time.tsx';
import { UsernameField } from '../components/username-field.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** The field that each error belongs to. */
const passwordErrorFields = {
  currentMissing: 'current',
  currentWrong: 'current',
  freshShort: 'fresh',
  freshLong: 'fresh',
  freshSame: 'fresh',
  repeatedDiffers: 'repeated',
} as const satisfies Partial<Record<keyof Messages['account']['password'], string>>;

export type PasswordFormError = keyof typeof passwordErrorFields;

interface PasswordPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** For password managers. */
  email: string;
  errors?: readonly PasswordFormError[];
  /** How long to wait, after too many attempts or because too many people sign in (`isBusy`). */
  wait?: { isBusy: boolean; seconds: number } | undefined;
  back: string;
}

/** The form that changes the password. */
export const PasswordPage = ({ dashboard, action, formToken, ...props }: PasswordPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const t = messages.account.password;
  const { errors = [], wait } = props;
  const formErrors: FormError[] = errors.map((error) => ({
    field: passwordErrorFields[error],
    text: t[error],
  }));
  if (wait !== undefined) {
    const time = formatWaitingTime(language, wait.seconds);
    const text = messages.signIn[wait.isBusy ? 'busy' : 'wait'];
    formErrors.push({ text: text.replace('{time}', time) });
  }
  const field = (name: 'current' | 'fresh' | 'repeated') => ({
    name,
    label: t[name],
    type: 'password',
    error: formErrors.find((error) => error.field === name)?.text,
  });
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {formErrors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={formErrors} />}
      <p>{t.lead}</p>
      <form method="post" action={action} class="narrow" novalidate>
        <FormTokenInput formToken={formToken} />
        <UsernameField username={props.email} label={messages.signIn.email} />
        <TextField {...field('current')} autocomplete="current-password" />
        <TextField {...field('fresh')} hint={t.freshHint} autocomplete="new-password" />
        <TextField {...field('repeated')} autocomplete="new-password" />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.submit}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};
