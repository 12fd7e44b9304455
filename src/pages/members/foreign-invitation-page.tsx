import { SwitchAccount, type SwitchAccountProps } from '../components/signed-in-user.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { NarrowLayout, type LayoutProps } from '../layout/narrow-layout.tsx';

interface ForeignInvitationPageProps {
  layout: LayoutProps;
  /** The address that the invitation was sent to. */
  email: string;
  switchAccount: SwitchAccountProps;
}

/** The invitation of somebody else than the signed-in user, who may sign out. */
export const ForeignInvitationPage = ({
  layout,
  email,
  switchAccount,
}: ForeignInvitationPageProps) => {
  const t = messagesFor(layout.language).members.invitation;
  return (
    <NarrowLayout {...layout} title={t.foreign}>
      <h1>{t.foreign}</h1>
      <p>{t.foreignLead.replace('{email}', () => email)}</p>
      <SwitchAccount {...switchAccount} />
    </NarrowLayout>
  );
};
