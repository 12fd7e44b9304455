import type { Context, Hono } from 'hono';
import { sessionLifetimes } from '../accounts/sign-in/session-lifetimes.ts';
import { methodNotAllowed, notFound, RoleError } from '../base/errors.ts';
import { securityPaths } from '../base/page-paths.ts';
import { type MemberRole, includesRole } from '../base/roles.ts';
import type { ManagedStore, UserSession } from '../data/directory/sessions.ts';
import type { AppEnv } from '../http/app-env.ts';
import { InfoPage } from './components/info-page.tsx';
import { openUserForm, toResponse } from './forms/form.tsx';
import { PublicPage, rememberPage, SignedInPage, type UserPage } from './page.ts';
import { findCurrentSession, identifyBrowser } from './sign-in/browser-session.ts';
import { proofForm } from './sign-in/proof.ts';
import { signInForm } from './sign-in/sign-in.tsx';

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
  const form = await openUserForm(c, userPage.maxFileBytes);
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

/**
 * Checks that the user of a session may open a page or submit its form, and returns the store of the path. Throws a
 * 404 for an operators' page and a store that the user does not belong to. Throws a 403 when the role is not enough.
 */
function assertMayOpen(
  {
    isForOperators = false,
    opensInactive = false,
  }: { isForOperators?: boolean; opensInactive?: boolean },
  { user, stores, lockedStores, inactiveStores }: UserSession,
  alias: string | undefined,
  wanted: MemberRole | undefined,
): ManagedStore | undefined {
  if (isForOperators && !user.isOperator) throw notFound();
  if (!wanted) return undefined;
  const candidates = [...stores, ...lockedStores, ...(opensInactive ? inactiveStores : [])];
  const store = candidates.find((candidate) => candidate.alias === alias);
  if (!store) throw notFound();
  if (!includesRole(store.role, wanted)) throw new RoleError(wanted);
  return store;
}

/** An obstacle before a page that the user may open otherwise. */
type Barrier = 'operator' | 'store' | 'proof';

/**
 * Returns the step that the user must take before a page opens. It is to set up a second factor for operators' pages and for
 * stores that demand it, show a code of it once in this session, or prove their identity.
 */
function findBarrier(
  { role, isForOperators, needsProof = false }: UserPage,
  page: SignedInPage,
): Barrier | undefined {
  const { session, user, now } = page;
  if (!user.hasSecondFactor) {
    if (isForOperators && page.settings.isOperatorMfaRequired) return 'operator';
    if (role && page.store.mfaRequired) return 'store';
  }
  const needsCode = isForOperators || (role !== undefined && page.store.mfaRequired);
  if (needsCode && user.hasSecondFactor && session.factorAt === null) return 'proof';
  const isAsked = needsProof === 'withSecondFactor' ? user.hasSecondFactor : needsProof;
  return isAsked && !isProved(session, now) ? 'proof' : undefined;
}

/**
 * Whether the user of a session has proved their identity recently enough for a protected page. It takes a code of the second
 * factor where there is one. A password proves nothing then.
 */
function isProved(
  { user, provedAt, factorAt }: Pick<UserSession, 'user' | 'provedAt' | 'factorAt'>,
  now: number,
): boolean {
  const at = user.hasSecondFactor ? (factorAt ?? 0) : provedAt;
  return now - at < sessionLifetimes.proof;
}

/** Shows the first step: the page of the proof, which leads back, or (403) the way to the second factor. */
function showBarrier(barrier: Barrier, page: SignedInPage) {
  const returnTo = page.address;
  if (barrier === 'proof') return proofForm.show(page, { returnTo });
  const t = page.messages.security.needed;
  const layout = page.layout(returnTo);
  const link = { href: securityPaths.factor, text: t.submit };
  const info = <InfoPage {...{ layout, link }} title={t.title} paragraphs={[t[barrier]]} />;
  return page.render(info, { status: 403 });
}
