import { findStoreFigures } from '../../accounts/stores/store-figures.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { signedOutPath, type SignedInPage } from '../../web/page.ts';
import { browserPaths, storePaths } from '../../web/paths.ts';
import { signOutEverywhereForm } from '../../web/sign-in/sign-out.ts';
import { AccountPage } from './account-page.tsx';

/** The outcomes of forms that lead to this page. */
const outcomes = ['password', 'joined', 'left'] as const;

const withHref = (store: ManagedStore) => ({ ...store, href: storePaths.details(store.alias) });

/** `GET /account`: what needs the user, their stores with some figures, and their settings. One round trip more per shard. */
export async function showAccountOverview(page: SignedInPage) {
  const { env, session, settings } = page;
  const figures = await findStoreFigures(env, session.stores);
  return (
    <AccountPage
      dashboard={page.dashboard('account')}
      user={session.user}
      stores={session.stores.map((store) => ({
        ...withHref(store),
        figures: figures.get(store.id),
      }))}
      lockedStores={session.lockedStores.map(withHref)}
      inactiveStores={session.inactiveStores.map(withHref)}
      newStoreHref={settings.signUp === 'everyone' ? storePaths.create : undefined}
      hrefs={{
        password: browserPaths.password,
        apps: browserPaths.connectedApps,
        webhooks: browserPaths.webhooks,
        security: browserPaths.security,
        partners: browserPaths.partners,
        profile: browserPaths.profile,
        notifications: browserPaths.notifications,
        sessions: browserPaths.sessions,
      }}
      done={page.done(outcomes)}
      formToken={await signOutEverywhereForm.seal(page, { returnTo: signedOutPath })}
      signOutEverywhereAction={browserPaths.endEverywhere}
    />
  );
}
