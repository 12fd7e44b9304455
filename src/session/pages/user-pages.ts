import type { Context, Hono } from 'hono';
import { ForeignFormError, methodNotAllowed, notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { settingsOf } from '../../settings.ts';
import { findCurrentSession, identifyBrowser } from '../browser-session.ts';
import { readPageForm } from '../forms/form-body.ts';
import { FormToken } from '../forms/form-token.ts';
import { sessionLifetimes } from '../lifetimes.ts';
import { findBarrier, showBarrier } from '../second-factor/barrier.tsx';
import { showSignInPage } from '../sign-in.tsx';
import { showFormTokenErrorPage } from './error-pages.tsx';
import { languageParameter } from './language.ts';
import { rememberContext, type PageContext } from './page-context.ts';
import { assertMayOpen, type MemberRole } from './page-roles.ts';
import { withQueryParameter } from './paths.ts';

export type { PageContext } from './page-context.ts';

type PageResponse = Response | Promise<Response>;

type ShowPage = (c: Context<AppEnv>, context: PageContext) => PageResponse;

type SubmitForm = (c: Context<AppEnv>, context: PageContext, form: URLSearchParams) => PageResponse;

/** A page for signed-in users, and the handler of its form. */
export interface UserPage {
  path: string;
  show: ShowPage;
  onSubmit?: SubmitForm;
  /** The least role in the store of `:alias` to see the page. Absent for pages that belong to no store. */
  role?: MemberRole;
  /** The least role to submit its form, if that is more; `manager` unless it says so. */
  submitRole?: MemberRole;
  /** Whether the page also opens for a store that is inactive. */
  opensInactive?: boolean;
  /** Whether only operators of the service may open the page. To everyone else it does not exist. */
  isForOperators?: boolean;
  /**
   * Whether the user must have proved who they are within the last ten minutes; `withSecondFactor` for a form that asks for
   * the password itself.
   */
  needsProof?: boolean | 'withSecondFactor';
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
  for (const page of userPages) {
    const { path, onSubmit } = page;
    pages.get(path, requireSession(page));
    if (onSubmit) pages.post(path, handleForm(page, onSubmit));
    pages.all(path, () => {
      throw methodNotAllowed(onSubmit ? 'GET, HEAD, POST' : 'GET, HEAD');
    });
  }
  pages.all(`${root}/*`, async (c) => {
    await identifyUser(c);
    throw notFound();
  });
}

/** Finds who is signed in, also for the error page of this request. */
async function identifyUser(c: Context<AppEnv>) {
  const now = Date.now();
  const browser = await identifyBrowser(c);
  const session = await findCurrentSession(c, browser, now);
  if (session) rememberContext(c.req.raw, { browser, session, now });
  return { now, browser, session };
}

/** Shows a page to a signed-in user, and to others the sign-in page, which leads back to it. */
const requireSession = (userPage: UserPage) => async (c: Context<AppEnv>) => {
  const { now, browser, session } = await identifyUser(c);
  const { pathname, search } = new URL(c.req.url);
  const returnTo = withQueryParameter(pathname + search, languageParameter);
  if (!session) return showSignInPage(c, browser, { returnTo }, { now });
  const store = assertMayOpen(userPage, session, c.req.param('alias'), userPage.role);
  const context: PageContext = { browser, session, now, ...(store && { store }) };
  const barrier = findBarrier(c, userPage, context);
  return barrier ? showBarrier(c, barrier, context, returnTo) : userPage.show(c, context);
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
const handleForm = (userPage: UserPage, submit: SubmitForm) => async (c: Context<AppEnv>) => {
  const now = Date.now();
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await userFormToken.open(settingsOf(c.env), browser, form, now);
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, opened.data?.action);
  if (opened.data.action !== c.req.path) throw new ForeignFormError();
  const session = await findCurrentSession(c, browser, now);
  if (!session) return c.redirect(c.req.path, 303);
  rememberContext(c.req.raw, { browser, session, now });
  const role = userPage.role && (userPage.submitRole ?? 'manager');
  const store = assertMayOpen(userPage, session, c.req.param('alias'), role);
  const context: PageContext = { browser, session, now, ...(store && { store }) };
  // The page says what to do first, such as a proof that has become old while the form was open.
  return findBarrier(c, userPage, context) ? c.redirect(c.req.path, 303) : submit(c, context, form);
};
