import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { sha256 } from '../crypto/digest.ts';
import { openDatabase } from '../db/core/open.ts';
import { countSignInAttempt, startSession } from '../db/directory/sign-in.ts';
import type { AppEnv } from '../http/app-env.ts';
import { SignInPage, type SignInPageProps } from '../pages/account/sign-in-page.tsx';
import { settingsOf } from '../settings.ts';
import {
  generateBrowserId,
  identifyBrowser,
  sessionExpiry,
  setBrowserCookie,
  type BrowserIdentity,
} from './browser-session.ts';
import { showFormTokenErrorPage } from './error-pages.tsx';
import { readPageForm } from './form-body.ts';
import { FormToken } from './form-token.ts';
import { sessionLifetimes } from './lifetimes.ts';
import { dummyPasswordHash, verifyPassword } from './password.ts';
import { browserPaths } from './paths.ts';
import { buildNarrowLayoutProps, renderPage } from './render-page.ts';
import { computeAttemptKeys, signInThrottle } from './throttle.ts';

/** What the token of a sign-in form carries. */
interface SignInState {
  /** Where to redirect after signing in: a local path that the program made, never one that was sent. */
  returnTo: string;
  /** Name of the app that sent the merchant here. */
  appName?: string;
}

const signInFormToken = new FormToken<SignInState>('sign-in');

/** Shows the sign-in page, also in place of a page that requires a session. */
export async function showSignInPage(
  c: Context<AppEnv>,
  browser: BrowserIdentity,
  state: SignInState,
  {
    now,
    status = 200,
    headers = {},
    ...props
  }: Pick<SignInPageProps, 'email' | 'error' | 'flash'> & {
    now: number;
    status?: ContentfulStatusCode;
    headers?: Record<string, string>;
  },
) {
  const expiresAt = now + sessionLifetimes.form;
  const formToken = await signInFormToken.seal(settingsOf(c.env), browser, state, expiresAt);
  const layout = buildNarrowLayoutProps(c, state.returnTo);
  const page = (
    <SignInPage
      {...props}
      {...{ layout, formToken }}
      action={browserPaths.session}
      waitingApp={state.appName}
    />
  );
  return renderPage(c, page, { status, headers });
}

/**
 * Handles the sign-in form. A right password starts a session under a new cookie and redirects (303). A wrong one shows
 * the page again (422), or the time to wait (429); an unknown user takes as long and looks the same.
 */
export async function handleSignIn(c: Context<AppEnv>) {
  const now = Date.now();
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await signInFormToken.open(settingsOf(c.env), browser, form, now);
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, opened.data?.returnTo);
  const state = opened.data;
  const email = (form.get('email') ?? '').trim();
  const password = form.get('password') ?? '';
  const fields = (['email', 'password'] as const).filter((name) => !form.get(name)?.trim());
  if (fields.length > 0) {
    const error = { kind: 'missing', fields } as const;
    return showSignInPage(c, browser, state, { now, status: 422, email, error });
  }

  const directory = openDatabase(c.env.DIRECTORY);
  const address = c.req.header('CF-Connecting-IP');
  const keys = await computeAttemptKeys(settingsOf(c.env), email, address);
  const { isAllowed, account, blockedUntil } = await countSignInAttempt(directory, {
    keys,
    email,
    throttle: signInThrottle,
    now,
  });
  const isRight = isAllowed && (await verifyPassword(password, account?.hash ?? dummyPasswordHash));
  if (!isRight || !account) {
    const seconds = Math.ceil((blockedUntil - now) / 1000);
    return showSignInPage(
      c,
      browser,
      state,
      seconds > 0
        ? {
            now,
            email,
            status: 429,
            headers: { 'Retry-After': String(seconds) },
            error: { kind: 'wait', seconds },
          }
        : { now, email, status: 422, error: { kind: 'wrong' } },
    );
  }

  const id = generateBrowserId();
  await startSession(directory, {
    idHash: await sha256(id),
    formerIdHash: browser.idHash,
    userId: account.userId,
    keys,
    blockedUntil,
    now,
    expiresAt: sessionExpiry(now, now),
  });
  setBrowserCookie(c, id);
  return c.redirect(state.returnTo, 303);
}
