import type { Context, Hono } from 'hono';
import { methodNotAllowed, notFound, RoleError } from '../base/errors.ts';
import { securityPaths } from '../base/page-paths.ts';
import { type MemberRole, includesRole } from '../base/roles.ts';
import type { ManagedStore, UserSession } from '../data/directory/sessions.ts';
import type { AppEnv } from '../http/app-env.ts';
import { InfoPage } from './components/info-page.tsx';
import { showFormTokenErrorPage } from './error-pages.tsx';
import { findByFormerAlias } from './find-store.ts';
import { keepSessionless, keepTyped, refuseForm, toResponse } from './forms/form.tsx';
import { receiveForm } from './forms/received-form.ts';
import { PublicPage, rememberPage, SignedInPage, type UserPage } from './page.ts';
import {
  findCurrentSession,
  hasBrowserCookie,
  identifyBrowser,
} from './sign-in/browser-session.ts';
import { proofForm } from './sign-in/proof.tsx';
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

/**
 * Finds the signed-in user of a public page, also while the directory does not answer: then nobody.
 * Gives out no cookie.
 */
export async function findVisitor(c: Context<AppEnv>): Promise<UserSession | undefined> {
  if (!hasBrowserCookie(c)) return undefined;
  return (await identifyUser(c).catch(() => undefined))?.session;
}

/**
 * Shows a page to a signed-in user, and to others the sign-in page, which leads back to it.
 * Redirects from a former alias of its store.
 */
async function showPage(c: Context<AppEnv>, userPage: UserPage): Promise<Response> {
  const { page, session } = await identifyUser(c);
  if (!session) return signInForm.show(page, { returnTo: page.address });
  const opened = await openPage(userPage, page, session, userPage.role);
  const alias = userPage.role && opened.store.alias;
  if (alias !== undefined && alias !== page.param('alias')) {
    return page.redirect(page.address.replace(/^((?:\/[^/]+){2}\/)[^/?]+/, `$1${alias}`));
  }
  const barrier = findBarrier(userPage, opened);
  if (barrier) return showBarrier(barrier, opened);
  return toResponse(opened, await userPage.show(opened));
}

/**
 * Handles the form of a page. Its body is read beyond its token for those who may send it; without
 * a session, only a short one, to keep what was typed.
 */
async function submitForm(
  c: Context<AppEnv>,
  userPage: UserPage,
  onSubmit: NonNullable<UserPage['onSubmit']>,
): Promise<Response> {
  const form = receiveForm(c, userPage.maxFileBytes);
  const { page, session } = await identifyUser(c);
  const hasFile = userPage.maxFileBytes !== undefined;
  if (!session) {
    // The page asks who signed out meanwhile to sign in.
    if (hasFile || !(await keepSessionless(page, form))) return page.redirect(page.path);
    const refusal = { errors: [{ text: page.messages.common.keptUntilSignIn }] };
    return signInForm.show(page, { returnTo: page.path }, { refusal });
  }
  const refused = await refuseForm(page, form, session.user.id);
  if (refused instanceof Response) return refused;
  const opened = await openPage(userPage, page, session, userPage.submitRole);
  if (refused && hasFile) return showFormTokenErrorPage(c, refused, page.path);
  const barrier = refused ? undefined : findBarrier(userPage, opened, userPage.needsProof);
  if (!refused && !barrier) return onSubmit(opened, await form.read());
  if (!hasFile) await keepTyped(opened, await form.read(), session.user.id);
  return barrier ? showBarrier(barrier, opened) : opened.redirect(opened.path);
}

/**
 * Opens a page for a user who may see it: with the store of its path, and the language of its user.
 */
async function openPage(
  userPage: UserPage,
  page: PublicPage,
  session: SignedInPage['session'],
  role: MemberRole | undefined,
): Promise<SignedInPage> {
  const store = await assertMayOpen(userPage, page, session, role);
  const { isForOperators = false } = userPage;
  const opened = new SignedInPage(page, session, { store, isForOperators });
  rememberPage(opened);
  return opened;
}

/**
 * Checks that the user of a session may open a page or submit its form, and returns the store of
 * the path. Throws a 404 for an operators' page and a store that the user does not belong to.
 * Throws a 403 when the role is not enough.
 */
async function assertMayOpen(
  {
    isForOperators = false,
    opensInactive = false,
  }: { isForOperators?: boolean; opensInactive?: boolean },
  page: PublicPage,
  { user, stores, lockedStores, inactiveStores }: UserSession,
  wanted: MemberRole | undefined,
): Promise<ManagedStore | undefined> {
  if (isForOperators && !user.isOperator) throw notFound();
  if (!wanted) return undefined;
  const candidates = [...stores, ...lockedStores, ...(opensInactive ? inactiveStores : [])];
  const alias = page.param('alias');
  const store =
    candidates.find((candidate) => candidate.alias === alias) ??
    (await findByFormerAlias(page, candidates, alias));
  if (!store) throw notFound();
  if (!includesRole(store.role, wanted)) throw new RoleError(wanted);
  return store;
}

/** An obstacle before a page that the user may open otherwise. */
type Barrier = 'operator' | 'store' | 'proof';

/**
 * Returns the step that the user must take before a page opens, or, with the proof that it asks
 * for, its form is sent. Operators' pages, and stores that demand it, need a second factor, and a
 * code of it once in this session. Others need a proof of identity at most.
 */
function findBarrier(
  { role, isForOperators, needsProof }: UserPage,
  page: SignedInPage,
  asked: UserPage['needsProof'] | false = needsProof !== true && needsProof,
): Barrier | undefined {
  const { session, user } = page;
  if (!user.hasSecondFactor) {
    if (isForOperators && page.settings.isOperatorMfaRequired) return 'operator';
    if (role && page.store.mfa_required) return 'store';
  }
  const needsCode = isForOperators || (role !== undefined && page.store.mfa_required);
  if (needsCode && user.hasSecondFactor && session.factorAt === null) return 'proof';
  const isAsked = asked === 'withSecondFactor' ? user.hasSecondFactor : asked;
  return isAsked && !page.isProved ? 'proof' : undefined;
}

/**
 * Shows the first step: the page of the proof, which leads back, or (403) the way to the second
 * factor.
 */
function showBarrier(barrier: Barrier, page: SignedInPage) {
  const returnTo = page.address;
  if (barrier === 'proof') return proofForm.show(page, { returnTo });
  const t = page.messages.security.needed;
  const layout = page.layout(returnTo);
  const link = { href: securityPaths.factor, text: t.submit };
  const info = <InfoPage {...{ layout, link }} title={t.title} paragraphs={[t[barrier]]} />;
  return page.render(info, { status: 403 });
}
