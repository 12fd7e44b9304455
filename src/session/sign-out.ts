import type { Context } from 'hono';
import { openDatabase, type Database } from '../db/core/open.ts';
import type { AppEnv } from '../http/app-env.ts';
import type { SwitchAccountProps } from '../pages/components/signed-in-user.tsx';
import type { LayoutProps } from '../pages/layout/narrow-layout.tsx';
import { settingsOf } from '../settings.ts';
import {
  generateBrowserId,
  identifyBrowser,
  setBrowserCookie,
  type BrowserIdentity,
} from './browser-session.ts';
import { readPageForm } from './forms/form-body.ts';
import { FormToken } from './forms/form-token.ts';
import { sessionLifetimes } from './lifetimes.ts';
import { showFormTokenErrorPage } from './pages/error-pages.tsx';
import { browserPaths } from './pages/paths.ts';
import type { PageContext } from './pages/user-pages.ts';

interface SignOutState {
  /** Where to redirect: a local path that the program made. */
  returnTo: string;
}

const signOutFormToken = new FormToken<SignOutState>('sign-out');

/** Seals the token of a form that signs out and then redirects to a local path. */
export const sealSignOutToken = (
  c: Context<AppEnv>,
  browser: BrowserIdentity,
  returnTo: string,
  now: number,
) => signOutFormToken.seal(settingsOf(c.env), browser, { returnTo }, now + sessionLifetimes.form);

/** Ends sessions with `end`, changes the cookie and redirects (303) to `target`, else to the path in the token. */
export async function handleSignOut(
  c: Context<AppEnv>,
  end: (directory: Database, idHash: string) => Promise<void>,
  target?: string,
) {
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await signOutFormToken.open(settingsOf(c.env), browser, form, Date.now());
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, opened.data?.returnTo);
  await end(openDatabase(c.env.DIRECTORY), browser.idHash);
  setBrowserCookie(c, generateBrowserId());
  return c.redirect(target ?? opened.data.returnTo, 303);
}

/** Builds the line that names the signed-in user. Its form signs out and returns to `returnTo`, a local path. */
export async function buildSwitchAccountProps(
  c: Context<AppEnv>,
  layout: LayoutProps,
  { browser, session, now }: PageContext,
  returnTo: string,
): Promise<SwitchAccountProps> {
  const formToken = await sealSignOutToken(c, browser, returnTo, now);
  return { layout, user: session.user, action: browserPaths.end, formToken };
}
