import { browserPaths } from '../../base/page-paths.ts';
import { endAllSessions, endSession } from '../../data/directory/sessions.ts';
import type { SwitchAccountProps } from '../components/signed-in-user.tsx';
import { publicForm } from '../forms/form.tsx';
import { signOutPurpose, type SignedInPage, type SignOutState } from '../page.ts';
import { generateBrowserId, setBrowserCookie } from './browser-session.ts';

/** A button that other pages hold. It ends sessions, changes the cookie and redirects (303). */
const signOut = (path: string, end: typeof endSession, target?: string) =>
  publicForm<SignOutState>({
    path,
    role: 'public',
    // All these buttons have tokens of one purpose.
    purpose: signOutPurpose,
    limit: 'pages',
    againPath: ({ returnTo }) => returnTo,
    async submit(page, _values, { returnTo }) {
      await end(page.directory, page.browser.idHash);
      setBrowserCookie(page.c, generateBrowserId());
      return page.redirect(target ?? returnTo);
    },
  });

/** Signs this browser out. */
export const signOutForm = signOut(browserPaths.end, endSession);

/** Signs the user out everywhere. */
export const signOutEverywhereForm = signOut(
  browserPaths.endEverywhere,
  endAllSessions,
  `${browserPaths.session}?signed-out=everywhere`,
);

/** Builds the line that names the signed-in user. Its form signs out and returns to `returnTo`, a local path. */
export const buildSwitchAccountProps = async (
  page: SignedInPage,
  returnTo: string,
): Promise<SwitchAccountProps> => ({
  layout: page.layout(),
  user: page.user,
  action: browserPaths.end,
  formToken: await signOutForm.seal(page, { returnTo }),
});
