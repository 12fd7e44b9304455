import { SelectField } from '../components/choice-fields.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { FlashMessage, Interpolate } from '../components/text.tsx';
import { languageNames, languages } from '../i18n/languages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

interface ProfilePageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  name: string;
  /** Empty for that of the browser. */
  language: string;
  error?: string | undefined;
  email: string;
  /** A new address that waits for its confirmation. */
  temporaryEmail: string | null;
  emailHref: string;
  isSaved: boolean;
  back: string;
}

/** Name and language of a user, and the way to another address. */
export const ProfilePage = ({ dashboard, ...props }: ProfilePageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const { profile: t } = messages.security;
  const errors: FormError[] = props.error ? [{ field: 'name', text: props.error }] : [];
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      <FlashMessage text={props.isSaved ? t.saved : undefined} />
      <form method="post" action={props.action} class="narrow" novalidate>
        <FormTokenInput formToken={props.formToken} />
        <TextField
          name="name"
          label={t.name}
          type="text"
          value={props.name}
          autocomplete="name"
          error={props.error}
        />
        <SelectField
          name="language"
          label={t.language}
          hint={t.languageHint}
          value={props.language}
          options={[
            { value: '', text: t.languageNone },
            ...languages.map((value) => ({ value, text: languageNames[value] })),
          ]}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.submit}</button>
        </FormActions>
      </form>
      <section aria-labelledby="e-mail">
        <h2 id="e-mail">{t.email}</h2>
        <p>
          <bdi>{props.email}</bdi>
        </p>
        {props.temporaryEmail !== null && (
          <p class="measure">
            <Interpolate text={t.pending} parts={{ email: <bdi>{props.temporaryEmail}</bdi> }} />
          </p>
        )}
        <p>
          <a href={props.emailHref}>{t.changeEmail}</a>
        </p>
      </section>
    </DashboardLayout>
  );
};
