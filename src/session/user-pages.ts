import type { Context, Hono } from 'hono';
import type { UserSession } from '../db/directory/sessions.ts';
import { ForeignFormError, methodNotAllowed, notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { settingsOf } from '../settings.ts';
import { findCurrentSession, identifyBrowser, type BrowserIdentity } from './browser-session.ts';
import { showFormTokenErrorPage } from './error-pages.tsx';
import { readPageForm } from './form-body.ts';
import { FormToken } from './form-token.ts';
import { languageParameter } from './language.ts';
import { sessionLifetimes } from './lifetimes.ts';
import { withQueryParameter } from './paths.ts';
import { showSignInPage } from './sign-in.tsx';

/** What a page of a signed-in user works with. */
export interface PageContext {
  browser: BrowserIdentity;
  session: UserSession;
  /** Epoch milliseconds. */
  now: number;
}

type PageResponse = Response | Promise<Response>;

type ShowPage = (c: Context<AppEnv>, context: PageContext) => PageResponse;

type SubmitForm = (c: Context<AppEnv>, context: PageContext, form: URLSearchParams) => PageResponse;

/** A page for signed-in users, and the handler of its form. */
export interface UserPage {
  path: string;
  show: ShowPage;
  onSubmit?: SubmitForm;
}

/** Mounts pages below a path. Any other path there is a 404 page, any other method a 405. */
export function mountUserPages(
  pages: Hono<AppEnv>,
  { root, operation }: { root: string; operation: string },
  userPages: readonly UserPage[],
): void {
  pages.use(`${root}/*`, async (c, next) => {
    c.set('operation', operation);
    await next();
  });
  for (const { path, show, onSubmit } of userPages) {
    pages.get(path, requireSession(show));
    if (onSubmit) pages.post(path, handleForm(onSubmit));
    pages.all(path, () => {
      throw methodNotAllowed(onSubmit ? 'GET, HEAD, POST' : 'GET, HEAD');
    });
  }
  pages.all(`${root}/*`, () => {
    throw notFound();
  });
}

/** Shows a page to a signed-in user, and to others the sign-in page, which leads back to it. */
const requireSession = (show: ShowPage) => async (c: Context<AppEnv>) => {
  const now = Date.now();
  const browser = await identifyBrowser(c);
  const session = await findCurrentSession(c, browser, now);
  if (session) return show(c, { browser, session, now });
  const { pathname, search } = new URL(c.req.url);
  const returnTo = withQueryParameter(pathname + search, languageParameter);
  return showSignInPage(c, browser, { returnTo }, { now });
};

interface UserFormState {
  /** The path that the form posts to. The token is valid for no other path. */
  action: string;
}

const userFormToken = new FormToken<UserFormState>('signed-in-form');

/** Seals the token of a form that posts to `action`, which is also the path of the page that shows the form. */
export const sealFormToken = (c: Context<AppEnv>, { browser, now }: PageContext, action: string) =>
  userFormToken.seal(settingsOf(c.env), browser, { action }, now + sessionLifetimes.form);

/**
 * Handles a form of a signed-in user. Rejects a form (400, 403) that our page at this path did not make for this
 * browser. Redirects a user who signed out meanwhile to that page (303), which asks them to sign in.
 */
const handleForm = (submit: SubmitForm) => async (c: Context<AppEnv>) => {
  const now = Date.now();
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await userFormToken.open(settingsOf(c.env), browser, form, now);
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, opened.data?.action);
  if (opened.data.action !== c.req.path) throw new ForeignFormError();
  const session = await findCurrentSession(c, browser, now);
  if (!session) return c.redirect(c.req.path, 303);
  return submit(c, { browser, session, now }, form);
};
