import type { Context } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { AccountPage } from '../pages/account/account-page.tsx';
import { browserPaths } from '../session/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../session/render-page.ts';
import { sealSignOutToken } from '../session/sign-out.ts';
import type { PageContext } from '../session/user-pages.ts';

const afterSignOut = `${browserPaths.session}?signed-out=here`;

/** `GET /account`: the signed-in user and the stores that they manage. */
export async function showAccountOverview(
  c: Context<AppEnv>,
  { browser, session, now }: PageContext,
) {
  const page = (
    <AccountPage
      dashboard={buildDashboardLayoutProps(c, 'account', browserPaths.account)}
      user={session.user}
      stores={session.stores}
      passwordHref={browserPaths.password}
      appsHref={browserPaths.connectedApps}
      hasChangedPassword={c.req.query('done') === 'password'}
      formToken={await sealSignOutToken(c, browser, afterSignOut, now)}
      signOutAction={browserPaths.end}
      signOutEverywhereAction={browserPaths.endEverywhere}
    />
  );
  return renderPage(c, page);
}
