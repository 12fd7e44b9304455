import { endAllSessions, endSession } from '../../data/directory/sessions.ts';
import type { SwitchAccountProps } from '../components/signed-in-user.tsx';
import { publicForm } from '../forms/form.tsx';
import type { SignedInPage } from '../page.ts';
import { browserPaths } from '../paths.ts';
import { generateBrowserId, setBrowserCookie } from './browser-session.ts';

interface SignOutState {
  /** The target after signing out: a local path that this service created. */
  returnTo: string;
}

/** A button that other pages hold. It ends sessions, changes the cookie and redirects (303). */
const signOut = (path: string, end: typeof endSession, target?: string) =>
  publicForm<SignOutState>({
    path,
    role: 'public',
    // Both buttons of the account have the same token.
    purpose: 'sign-out',
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
