import { readableAddress } from '../../base/hosts.ts';
import { DashboardLayout, type DashboardProps } from '../components/dashboard-layout.tsx';
import { ErrorSummary, FormTokenInput, type FormError } from '../components/form-fields.tsx';
import { Interpolate } from '../components/inline-text.tsx';
import { FormattedTime } from '../components/time.tsx';
import type { Messages } from '../texts/en/messages.ts';
import { messagesFor } from '../texts/messages.ts';

interface OpenInvitationPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** The reason why it was not sent again. */
  errors: readonly FormError[];
  invitation: {
    email: string;
    role: keyof Messages['members']['roles']['names'];
    createdAt: number;
    expiresAt: number;
  };
  zone: string;
  back: string;
}

/** One open invitation: sends it again or withdraws it. The pressed button names the action (`action`). */
export const OpenInvitationPage = ({
  dashboard,
  invitation,
  zone,
  ...props
}: OpenInvitationPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { open: t, roles } = messages.members;
  const title = t.title.replace('{email}', () => readableAddress(invitation.email));
  const parts = {
    sent: <FormattedTime {...{ language, zone }} at={invitation.createdAt} />,
    until: <FormattedTime {...{ language, zone }} at={invitation.expiresAt} />,
    role: roles.names[invitation.role],
  };
  return (
    <DashboardLayout {...dashboard} title={title}>
      <h1>{title}</h1>
      {props.errors.length > 0 && (
        <ErrorSummary
          title={messages.errorSummary}
          errors={props.errors.map(({ text }) => ({ text }))}
        />
      )}
      <p>
        <Interpolate text={t.lead} parts={parts} />
      </p>
      <form method="post" action={props.action}>
        <FormTokenInput formToken={props.formToken} />
        <p id="again">{t.sendAgainHint}</p>
        <p class="actions">
          <button name="action" value="send" aria-describedby="again">
            {t.sendAgain}
          </button>
        </p>
        <p id="withdraw">{t.withdrawHint}</p>
        <p class="actions">
          <button name="action" value="withdraw" class="danger" aria-describedby="withdraw">
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
