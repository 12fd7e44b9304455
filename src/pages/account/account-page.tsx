import { FormTokenInput } from '../components/form-fields.tsx';
import { SignedInAs, type DisplayedUser } from '../components/signed-in-user.tsx';
import { FlashMessage } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

interface AccountPageProps {
  dashboard: DashboardProps;
  user: DisplayedUser;
  stores: readonly { name: string; alias: string; role: 'owner' | 'manager' }[];
  passwordHref: string;
  appsHref: string;
  hasChangedPassword: boolean;
  /** For both sign-out forms. */
  formToken: string;
  signOutAction: string;
  signOutEverywhereAction: string;
}

/** The signed-in user, their stores, and sign-out. */
export const AccountPage = (props: AccountPageProps) => {
  const { dashboard, user, stores, formToken } = props;
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.start;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.hasChangedPassword ? t.passwordChanged : undefined} />
      <p>
        <SignedInAs layout={dashboard.layout} user={user} />
      </p>
      <h2>{t.stores}</h2>
      {stores.length === 0 ? (
        <p>{t.noStores}</p>
      ) : (
        <>
          <ul class="stores measure">
            {stores.map(({ name, alias, role }) => (
              <li>
                <strong>
                  <bdi>{name}</bdi>
                </strong>{' '}
                <span class="muted">
                  {alias} · {messages.store[role]}
                </span>
              </li>
            ))}
          </ul>
          <p>
            <a class="target" href={props.appsHref}>
              {t.seeApps}
            </a>
          </p>
        </>
      )}
      <h2>{t.password}</h2>
      <p>
        <a class="button plain" href={props.passwordHref}>
          {t.changePassword}
        </a>
      </p>
      <h2>{t.signOut}</h2>
      <form method="post" action={props.signOutAction} class="actions">
        <FormTokenInput formToken={formToken} />
        <button>{messages.session.signOut}</button>
      </form>
      <form method="post" action={props.signOutEverywhereAction}>
        <FormTokenInput formToken={formToken} />
        <p class="muted" id="everywhere">
          {messages.session.everywhereHint}
        </p>
        <button class="plain" aria-describedby="everywhere">
          {messages.session.signOutEverywhere}
        </button>
      </form>
    </DashboardLayout>
  );
};
