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
import { computeAttemptCounters, signInThrottle } from './throttle/counters.ts';
import { hashingRetrySeconds, runInHashingSlot } from './throttle/hashing-slots.ts';
import { findBrowserMark, rememberBrowser } from './throttle/known-browser.ts';

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
 * the page again (422), or the time to wait (429); an unknown user takes as long and looks the same. While two other
 * passwords are being checked, the page asks to wait (503), and no attempt is counted.
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

  const attempt = { browser, state, email, password, now };
  const response = await runInHashingSlot(now, () => trySignIn(c, attempt));
  if (response) return response;
  const [seconds, headers] = [hashingRetrySeconds, { 'Retry-After': String(hashingRetrySeconds) }];
  const error = { kind: 'busy', seconds } as const;
  return showSignInPage(c, browser, state, { now, email, status: 503, headers, error });
}

interface SignInAttempt {
  browser: BrowserIdentity;
  state: SignInState;
  email: string;
  password: string;
  now: number;
}

/** Counts an attempt, checks its password and starts the session. */
async function trySignIn(
  c: Context<AppEnv>,
  { browser, state, email, password, now }: SignInAttempt,
): Promise<Response> {
  const directory = openDatabase(c.env.DIRECTORY);
  const address = c.req.header('CF-Connecting-IP');
  const trustedBy = await findBrowserMark(c, email, now);
  const counters = await computeAttemptCounters(settingsOf(c.env), { email, address, trustedBy });
  const { isAllowed, account, blockedUntil, counted } = await countSignInAttempt(directory, {
    counters,
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
    counted,
    now,
    expiresAt: sessionExpiry(now, now),
  });
  setBrowserCookie(c, id);
  await rememberBrowser(c, email, now);
  return c.redirect(state.returnTo, 303);
}
