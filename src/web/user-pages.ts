import type { Context, Hono } from 'hono';
import { methodNotAllowed, notFound } from '../base/errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { openUserForm, toResponse } from './forms/form.tsx';
import { assertMayOpen, type MemberRole } from './page-roles.ts';
import { PublicPage, rememberPage, SignedInPage, type UserPage } from './page.ts';
import { findBarrier, showBarrier } from './sign-in/barrier.tsx';
import { findCurrentSession, identifyBrowser } from './sign-in/browser-session.ts';
import { signInForm } from './sign-in/sign-in.tsx';

export type { UserPage } from './page.ts';

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
  for (const userPage of userPages) {
    const { path, onSubmit } = userPage;
    pages.get(path, (c) => showPage(c, userPage));
    if (onSubmit) pages.post(path, (c) => submitForm(c, userPage, onSubmit));
    pages.all(path, () => {
      throw methodNotAllowed(onSubmit ? 'GET, HEAD, POST' : 'GET, HEAD');
    });
  }
  pages.all(`${root}/*`, async (c) => {
    await identifyUser(c);
    throw notFound();
  });
}

/** Finds the signed-in user, also for the error page of this request. */
async function identifyUser(c: Context<AppEnv>) {
  const now = Date.now();
  const page = new PublicPage(c, await identifyBrowser(c), now);
  const session = await findCurrentSession(c, page.browser, now);
  if (session) rememberPage(new SignedInPage(page, session));
  return { page, session };
}

/** Shows a page to a signed-in user, and to others the sign-in page, which leads back to it. */
async function showPage(c: Context<AppEnv>, userPage: UserPage): Promise<Response> {
  const { page, session } = await identifyUser(c);
  if (!session) return signInForm.show(page, { returnTo: page.address });
  const opened = openPage(userPage, page, session, userPage.role);
  const barrier = findBarrier(userPage, opened);
  if (barrier) return showBarrier(barrier, opened);
  return toResponse(opened, await userPage.show(opened));
}

/** Handles the form of a page. */
async function submitForm(
  c: Context<AppEnv>,
  userPage: UserPage,
  onSubmit: NonNullable<UserPage['onSubmit']>,
): Promise<Response> {
  const form = await openUserForm(c);
  if (form instanceof Response) return form;
  const opened = openPage(userPage, form.page, form.session, userPage.submitRole);
  // The page shows the first step, such as a proof that expired while the form was open.
  return findBarrier(userPage, opened) ? opened.redirect(opened.path) : onSubmit(opened, form.sent);
}

/** Opens a page for a user who may see it: with the store of its path, and the language of its user. */
function openPage(
  userPage: UserPage,
  page: PublicPage,
  session: SignedInPage['session'],
  role: MemberRole | undefined,
): SignedInPage {
  const store = assertMayOpen(userPage, session, page.param('alias'), role);
  const { isForOperators = false } = userPage;
  const opened = new SignedInPage(page, session, { store, isForOperators });
  rememberPage(opened);
  return opened;
}
