import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormProps,
} from '../../web/components/form-fields.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

type TeamMessages = Messages['partnerTools']['team'];

interface TeamPageProps {
  dashboard: DashboardProps;
  /** Times are epoch milliseconds. */
  members: readonly { name: string; email: string; since: number; removeHref: string }[];
  invitations: readonly { email: string; expiresAt: number; withdrawHref: string }[];
  /** The partners whose teams the user is in. */
  partners: readonly { name: string; leaveHref: string }[];
  zone: string;
  form: FormProps;
  flash: keyof TeamMessages['flash'] | undefined;
}

/** The team of a partner: its members, open invitations, and the form that invites. */
export const TeamPage = ({ dashboard, zone, form, ...props }: TeamPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { team: t } = messages.partnerTools;
  const { members, invitations, partners } = props;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <FlashMessage text={props.flash && t.flash[props.flash]} />
      <p>{t.lead}</p>
      {members.length === 0 && <EmptyState text={t.none} />}
      {members.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={members}
          columns={[
            { label: t.columns.name, cell: ({ name }) => <UntrustedName name={name} /> },
            { label: t.columns.email, cell: ({ email }) => <bdi>{email}</bdi> },
            {
              label: t.columns.since,
              cell: ({ since }) => <FormattedTime {...{ language, zone }} at={since} />,
            },
            {
              label: t.columns.action,
              cell: ({ removeHref, name }) => (
                <Action href={removeHref} text={t.remove} of={name} />
              ),
            },
          ]}
        />
      )}
      {invitations.length > 0 && (
        <DataTable
          caption={t.open}
          rows={invitations}
          columns={[
            { label: t.columns.email, cell: ({ email }) => <bdi>{email}</bdi> },
            {
              label: t.until,
              cell: ({ expiresAt }) => <FormattedTime {...{ language, zone }} at={expiresAt} />,
            },
            {
              label: t.columns.action,
              cell: ({ withdrawHref, email }) => (
                <Action href={withdrawHref} text={t.withdraw} of={email} />
              ),
            },
          ]}
        />
      )}
      <h2>{t.invite}</h2>
      <form method="post" action={form.action} novalidate>
        <FormTokenInput formToken={form.formToken} />
        <TextField
          name="email"
          label={t.email}
          hint={t.emailHint}
          type="email"
          value={form.sent?.get('email') ?? ''}
          autocomplete="off"
          error={form.errors[0]?.text}
        />
        <div class="actions">
          <button>{t.invite}</button>
        </div>
      </form>
      {partners.length > 0 && (
        <DataTable
          caption={t.others}
          rows={partners}
          columns={[
            { label: t.partner, cell: ({ name }) => <UntrustedName name={name} /> },
            {
              label: t.columns.action,
              cell: ({ leaveHref, name }) => <Action href={leaveHref} text={t.leave} of={name} />,
            },
          ]}
        />
      )}
    </DashboardLayout>
  );
};

/** A link whose accessible name includes the person. */
const Action = ({ href, text, of }: { href: string; text: string; of: string }) => (
  <a href={href}>
    {text}
    <span class="visually-hidden">: {of}</span>
  </a>
);
