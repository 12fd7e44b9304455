import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { withDbErrors } from '../db/core/errors.ts';
import { uncountAttemptStatements } from '../db/directory/sign-in.ts';
import type { AppEnv } from '../http/app-env.ts';
import { wakeMail } from '../mail/wake.ts';
import { SignInPage, type SignInPageProps } from '../pages/account/sign-in-page.tsx';
import { settingsOf } from '../settings.ts';
import { identifyBrowser, type BrowserIdentity } from './browser-session.ts';
import { checkPassword, rejectionStatus } from './check.ts';
import { readPageForm } from './forms/form-body.ts';
import { FormToken } from './forms/form-token.ts';
import { sessionLifetimes } from './lifetimes.ts';
import { showFormTokenErrorPage } from './pages/error-pages.tsx';
import { requestDeed } from './pages/page-deed.ts';
import { browserPaths } from './pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from './pages/render-page.ts';
import { startCodeStep } from './second-factor/code-step.tsx';
import { prepareSession } from './start-session.ts';
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
      forgottenHref={browserPaths.forgottenPassword}
      signUpHref={settingsOf(c.env).signUp === 'closed' ? undefined : browserPaths.signUp}
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

  const deed = requestDeed(c, now);
  const trustedBy = await findBrowserMark(c, email, now);
  const checked = await checkPassword(c, deed, { email, password, trustedBy });
  if ('kind' in checked) {
    const { status, headers } = { headers: {}, ...rejectionStatus(checked) };
    return showSignInPage(c, browser, state, { now, email, status, headers, error: checked });
  }
  const { account, counted } = checked;
  const uncount = uncountAttemptStatements(deed.directory, counted);
  if (account.hasSecondFactor) {
    await withDbErrors(deed.directory.batch([...uncount]));
    return startCodeStep(c, browser, account, { returnTo: state.returnTo, now });
  }
  const session = await prepareSession(c, deed, { browser });
  const statements = await session.start(account.userId);
  await withDbErrors(deed.directory.batch([...statements, ...uncount]));
  deed.defer(wakeMail(deed.env));
  session.setCookie();
  await rememberBrowser(c, email, now);
  return c.redirect(state.returnTo, 303);
}
