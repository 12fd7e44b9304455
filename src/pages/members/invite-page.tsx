import { RadioField } from '../components/choice-fields.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { FlashMessage, Interpolate } from '../components/text.tsx';
import { FormattedTime } from '../components/time.tsx';
import type { Language } from '../i18n/languages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

interface InvitePageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  typed: { email: string; role: string };
  errors: readonly FormError[];
  /** Why no mail will arrive. */
  notice: string | undefined;
  back: string;
}

/** The roles that an owner gives, for radio buttons. */
export function roleOptions(language: Language) {
  const { names, meanings } = messagesFor(language).members.roles;
  return (['manager', 'viewer'] as const).map((value) => ({
    value,
    text: names[value],
    meaning: meanings[value],
  }));
}

/** The form that invites somebody to a store. */
export const InvitePage = ({ dashboard, typed, errors, ...props }: InvitePageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const t = messages.members.invite;
  const errorOf = (name: string) => errors.find(({ field }) => field === name)?.text;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      <FlashMessage text={props.notice} isProblem />
      <p>{t.lead}</p>
      <form method="post" action={props.action} class="narrow" novalidate>
        <FormTokenInput formToken={props.formToken} />
        <TextField
          name="email"
          label={t.email}
          type="email"
          autocomplete="off"
          value={typed.email}
          error={errorOf('email')}
        />
        <RadioField
          name="role"
          label={t.role}
          options={roleOptions(language)}
          value={typed.role}
          error={errorOf('role')}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.submit}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};

interface OpenInvitationPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  invitation: {
    email: string;
    role: 'owner' | 'manager' | 'viewer';
    createdAt: number;
    expiresAt: number;
  };
  zone: string;
  back: string;
}

/** One open invitation: sends it again or withdraws it. The button that is pressed tells which (`deed`). */
export const OpenInvitationPage = ({
  dashboard,
  invitation,
  zone,
  ...props
}: OpenInvitationPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { open: t, roles } = messages.members;
  const title = t.title.replace('{email}', () => invitation.email);
  const parts = {
    sent: <FormattedTime {...{ language, zone }} at={invitation.createdAt} />,
    until: <FormattedTime {...{ language, zone }} at={invitation.expiresAt} />,
    role: roles.names[invitation.role],
  };
  return (
    <DashboardLayout {...dashboard} title={title}>
      <h1>{title}</h1>
      <p>
        <Interpolate text={t.lead} parts={parts} />
      </p>
      <form method="post" action={props.action}>
        <FormTokenInput formToken={props.formToken} />
        <p id="again">{t.sendAgainHint}</p>
        <p class="actions">
          <button name="deed" value="send" aria-describedby="again">
            {t.sendAgain}
          </button>
        </p>
        <p id="withdraw">{t.withdrawHint}</p>
        <p class="actions">
          <button name="deed" value="withdraw" class="danger" aria-describedby="withdraw">
            {t.withdraw}
          </button>
        </p>
      </form>
      <p>
        <a class="target" href={props.back}>
          {messages.members.list.title}
        </a>
      </p>
    </DashboardLayout>
  );
};
