import type { Context, Hono } from 'hono';
import { endAllSessions, endSession } from '../db/directory/sessions.ts';
import { methodNotAllowed } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import type { SignInPageProps } from '../pages/account/sign-in-page.tsx';
import { findCurrentSession, identifyBrowser } from './browser-session.ts';
import { browserPaths, homePath } from './pages/paths.ts';
import { handleCodeStep } from './second-factor/code-step.tsx';
import { handleProof } from './second-factor/proof.tsx';
import { handleSignIn, showSignInPage } from './sign-in.tsx';
import { handleSignOut } from './sign-out.ts';

const signedOutEverywherePath = `${browserPaths.session}?signed-out=everywhere`;

/** Mounts signing in and out: `GET` and `POST /session`, `POST /session/end`, `POST /session/end-everywhere`. */
export function mountSessionRoutes(pages: Hono<AppEnv>) {
  pages.use(`${browserPaths.session}/*`, async (c, next) => {
    c.set('operation', 'session');
    await next();
  });
  pages.get(browserPaths.session, (c) => handleSessionPage(c));
  pages.post(browserPaths.session, handleSignIn);
  pages.get(browserPaths.code, (c) => c.redirect(browserPaths.session, 303));
  pages.post(browserPaths.code, handleCodeStep);
  pages.get(browserPaths.proof, (c) => c.redirect(browserPaths.account, 303));
  pages.post(browserPaths.proof, handleProof);
  pages.post(browserPaths.end, (c) => handleSignOut(c, endSession));
  pages.post(browserPaths.endEverywhere, (c) =>
    handleSignOut(c, endAllSessions, signedOutEverywherePath),
  );
  for (const path of [browserPaths.session, browserPaths.code, browserPaths.proof]) {
    pages.all(path, rejectMethod('GET, HEAD, POST'));
  }
  pages.all(browserPaths.end, rejectMethod('POST'));
  pages.all(browserPaths.endEverywhere, rejectMethod('POST'));
}

/** What the sign-in page says after another form, by its query. */
const flashes: ReadonlyMap<string, SignInPageProps['flash']> = new Map([
  ['here', 'signedOut'],
  ['everywhere', 'signedOutEverywhere'],
  ['password', 'newPassword'],
]);

const rejectMethod = (allow: string) => () => {
  throw methodNotAllowed(allow);
};

/** Shows the sign-in page; redirects a signed-in user to their account. */
async function handleSessionPage(c: Context<AppEnv>) {
  const now = Date.now();
  const browser = await identifyBrowser(c);
  const session = await findCurrentSession(c, browser, now);
  if (session) return c.redirect(homePath, 303);
  const { 'signed-out': signedOut = '', done = '' } = c.req.query();
  const flash = flashes.get(`${signedOut}${done}`);
  return showSignInPage(c, browser, { returnTo: homePath }, { now, flash });
}
