import { RadioField } from '../components/choice-fields.tsx';
import { ErrorSummary, FormTokenInput, FormActions } from '../components/form-fields.tsx';
import { Interpolate } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import { roleOptions } from './invite-page.tsx';

interface MemberPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  member: { name: string; email: string; role: string };
  hasRoleError: boolean;
  handOverHref: string;
  removeHref: string;
  back: string;
}

/** One member of a store: the role, handing over, and removal. */
export const MemberPage = ({ dashboard, member, ...props }: MemberPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const t = messages.members.member;
  const error = props.hasRoleError ? messages.members.invite.roleMissing : undefined;
  const name = { name: <bdi>{member.name}</bdi> };
  return (
    <DashboardLayout {...dashboard} title={t.title.replace('{name}', () => member.name)}>
      <h1>
        <Interpolate text={t.title} parts={name} />
      </h1>
      {error && (
        <ErrorSummary title={messages.errorSummary} errors={[{ field: 'role', text: error }]} />
      )}
      <p class="muted">{member.email}</p>
      <form method="post" action={props.action} class="narrow" novalidate>
        <FormTokenInput formToken={props.formToken} />
        <RadioField
          name="role"
          label={<Interpolate text={t.role} parts={name} />}
          hint={t.viewerHint}
          options={roleOptions(language)}
          value={member.role}
          error={error}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.save}</button>
        </FormActions>
      </form>
      <h2>{t.more}</h2>
      <p class="actions">
        <a class="button plain" href={props.handOverHref}>
          {t.handOver}
        </a>
        <a class="button plain" href={props.removeHref}>
          {t.remove}
        </a>
      </p>
    </DashboardLayout>
  );
};
