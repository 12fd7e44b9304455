import { FormTokenInput, FormActions } from '../components/form-fields.tsx';
import { FlashMessage, Interpolate } from '../components/text.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

interface NotificationsPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** Where the mails go. */
  email: string;
  /** Whether the user gets mails that are not about security. */
  allows: boolean;
  kinds: readonly { kind: keyof Messages['notifications']['kinds']; isOn: boolean }[];
  isSaved: boolean;
  /** Whether this service sends mails at all. */
  isMailConfigured: boolean;
  back: string;
}

/** The form that says which mails a user gets. */
export const NotificationsPage = ({ dashboard, ...props }: NotificationsPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.notifications;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.isSaved ? t.saved : undefined} />
      <FlashMessage text={props.isMailConfigured ? undefined : t.notConfigured} isProblem />
      <p>
        <Interpolate text={t.lead} parts={{ email: <strong>{props.email}</strong> }} />
      </p>
      <form method="post" action={props.action} class="narrow">
        <FormTokenInput formToken={props.formToken} />
        <fieldset class="field">
          <legend>{t.all}</legend>
          <label class="check">
            <input type="checkbox" name="allows" value="yes" checked={props.allows} />
            <span>
              {t.allows}
              <span class="meaning">{t.allowsHint}</span>
            </span>
          </label>
        </fieldset>
        <fieldset class="field">
          <legend>{t.which}</legend>
          {props.kinds.map(({ kind, isOn }) => (
            <label class="check">
              <input type="checkbox" name="kinds" value={kind} checked={isOn} />
              <span>{t.kinds[kind]}</span>
            </label>
          ))}
        </fieldset>
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.submit}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};
