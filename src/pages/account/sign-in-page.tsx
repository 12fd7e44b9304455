import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
} from '../components/form-fields.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../components/text.tsx';
import { formatWaitingTime } from '../components/time.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import type { Language } from '../i18n/languages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { NarrowLayout, type LayoutProps } from '../layout/narrow-layout.tsx';

/** Why the sign-in failed. */
type SignInError =
  | { kind: 'missing'; fields: readonly ('email' | 'password')[] }
  | { kind: 'wrong' }
  | { kind: 'wait' | 'busy'; seconds: number };

export interface SignInPageProps {
  layout: LayoutProps;
  action: string;
  formToken: string;
  forgottenHref: string;
  /** Absent where nobody makes an account without an invitation. */
  signUpHref?: string | undefined;
  /** Name of the app that sent the user here. */
  waitingApp?: string | undefined;
  /** The submitted address. A password is never sent back. */
  email?: string;
  error?: SignInError | undefined;
  flash?: 'signedOut' | 'signedOutEverywhere' | 'newPassword' | undefined;
}

/** The sign-in form. */
export const SignInPage = (props: SignInPageProps) => {
  const { layout, action, formToken, waitingApp, email = '', error, flash } = props;
  const messages = messagesFor(layout.language);
  const t = messages.signIn;
  const errors = error ? formErrors(error, messages.signIn, layout.language) : [];
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.text;
  return (
    <NarrowLayout {...layout} title={t.title}>
      <h1>{t.title}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      <FlashMessage
        text={flash && (flash === 'newPassword' ? messages.security.reset.done : t[flash])}
      />
      {waitingApp !== undefined && (
        <p>
          <Interpolate text={t.waiting} parts={{ app: <UntrustedName name={waitingApp} /> }} />
        </p>
      )}
      <form method="post" action={action} novalidate>
        <FormTokenInput formToken={formToken} />
        <TextField
          name="email"
          label={t.email}
          type="email"
          value={email}
          autocomplete="username"
          error={errorOf('email')}
        />
        <TextField
          name="password"
          label={t.password}
          type="password"
          autocomplete="current-password"
          error={errorOf('password')}
        />
        <div class="actions wide">
          <button>{t.submit}</button>
        </div>
      </form>
      <p>
        <a href={props.forgottenHref}>{messages.security.forgotten.link}</a>
      </p>
      {props.signUpHref !== undefined && (
        <p>
          <a href={props.signUpHref}>{messages.security.signUp.link}</a>
        </p>
      )}
    </NarrowLayout>
  );
};

function formErrors(
  error: SignInError,
  t: Messages['signIn'],
  language: Language,
): readonly FormError[] {
  if (error.kind === 'wrong') return [{ text: t.wrong }];
  if (error.kind !== 'missing') {
    return [{ text: t[error.kind].replace('{time}', formatWaitingTime(language, error.seconds)) }];
  }
  const texts = { email: t.emailMissing, password: t.passwordMissing };
  return error.fields.map((field) => ({ field, text: texts[field] }));
}
