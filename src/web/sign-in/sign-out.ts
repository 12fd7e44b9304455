import { endOwnSessions } from '../../accounts/sign-in/session-actions.ts';
import { browserPaths } from '../../base/page-paths.ts';
import { endSession } from '../../data/directory/sessions.ts';
import { publicForm } from '../forms/form.tsx';
import { signOutPurpose, userActor, type PublicPage, type SignOutState } from '../page.ts';
import { findCurrentSession, generateBrowserId, setBrowserCookie } from './browser-session.ts';

/** A button that other pages hold. It ends sessions, changes the cookie and redirects (303). */
const signOut = (path: string, end: (page: PublicPage) => Promise<void>, target?: string) =>
  publicForm<SignOutState>({
    path,
    role: 'public',
    // All these buttons have tokens of one purpose.
    purpose: signOutPurpose,
    limit: 'pages',
    againPath: ({ returnTo }) => returnTo,
    async submit(page, _values, { returnTo }) {
      await end(page);
      setBrowserCookie(page.c, generateBrowserId());
      return page.redirect(target ?? returnTo);
    },
  });

/** Signs this browser out. */
export const signOutForm = signOut(browserPaths.end, ({ directory, browser }) =>
  endSession(directory, browser.idHash),
);

/** Signs the user out everywhere, and ends what rests on the sessions. */
export const signOutEverywhereForm = signOut(
  browserPaths.endEverywhere,
  async (page) => {
    const { user } = (await findCurrentSession(page.c, page.browser, page.now)) ?? {};
    if (user) await endOwnSessions(page.actionOf(userActor(user)), user.id, 'all');
  },
  `${browserPaths.session}?signed-out=everywhere`,
);
