import type { ManagedStore } from '../../data/directory/sessions.ts';
import type { SignedInPage } from '../../web/page.ts';
import { browserPaths, storePaths } from '../../web/paths.ts';
import { signOutForm } from '../../web/sign-in/sign-out.ts';
import { AccountPage } from './account-page.tsx';

const afterSignOut = `${browserPaths.session}?signed-out=here`;

/** The outcomes of forms that lead to this page. */
const outcomes = ['password', 'joined', 'left'] as const;

const withHref = (store: ManagedStore) => ({ ...store, href: storePaths.details(store.alias) });

/** `GET /account`: the signed-in user, all their stores, and the next steps. */
export async function showAccountOverview(page: SignedInPage) {
  const { session, settings } = page;
  return (
    <AccountPage
      dashboard={page.dashboard('account')}
      user={session.user}
      stores={session.stores.map(withHref)}
      lockedStores={session.lockedStores.map(withHref)}
      inactiveStores={session.inactiveStores.map(withHref)}
      newStoreHref={settings.signUp === 'everyone' ? storePaths.create : undefined}
      hrefs={{
        password: browserPaths.password,
        apps: browserPaths.connectedApps,
        security: browserPaths.security,
        partners: browserPaths.partners,
        profile: browserPaths.profile,
        notifications: browserPaths.notifications,
        sessions: browserPaths.sessions,
      }}
      done={page.done(outcomes)}
      formToken={await signOutForm.seal(page, { returnTo: afterSignOut })}
      signOutAction={browserPaths.end}
      signOutEverywhereAction={browserPaths.endEverywhere}
    />
  );
}
