import type { Context } from 'hono';
import type { ManagedStore } from '../db/directory/sessions.ts';
import type { AppEnv } from '../http/app-env.ts';
import { AccountPage } from '../pages/account/account-page.tsx';
import { browserPaths } from '../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { sealSignOutToken } from '../session/sign-out.ts';
import { settingsOf } from '../settings.ts';
import { storePaths } from './paths.ts';

const afterSignOut = `${browserPaths.session}?signed-out=here`;

/** What led to this page. */
const outcomes = ['password', 'joined', 'left'] as const;

const withHref = (store: ManagedStore) => ({ ...store, href: storePaths.details(store.alias) });

/** `GET /account`: the signed-in user, all their stores, and what to do next. */
export async function showAccountOverview(c: Context<AppEnv>, context: PageContext) {
  const { browser, session, now } = context;
  const page = (
    <AccountPage
      dashboard={buildDashboardLayoutProps(c, context, 'account', browserPaths.account)}
      user={session.user}
      stores={session.stores.map(withHref)}
      lockedStores={session.lockedStores.map(withHref)}
      inactiveStores={session.inactiveStores.map(withHref)}
      newStoreHref={settingsOf(c.env).signUp === 'everyone' ? storePaths.create : undefined}
      hrefs={{
        password: browserPaths.password,
        apps: browserPaths.connectedApps,
        security: browserPaths.security,
        partners: browserPaths.partners,
        profile: browserPaths.profile,
        notifications: browserPaths.notifications,
        sessions: browserPaths.sessions,
      }}
      done={outcomes.find((outcome) => outcome === c.req.query('done'))}
      formToken={await sealSignOutToken(c, browser, afterSignOut, now)}
      signOutAction={browserPaths.end}
      signOutEverywhereAction={browserPaths.endEverywhere}
    />
  );
  return renderPage(c, page);
}
