import type { Context, Hono } from 'hono';
import { endAllSessions, endSession } from '../db/directory/sessions.ts';
import { methodNotAllowed } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { findCurrentSession, identifyBrowser } from './browser-session.ts';
import { browserPaths, homePath } from './paths.ts';
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
  pages.post(browserPaths.end, (c) => handleSignOut(c, endSession));
  pages.post(browserPaths.endEverywhere, (c) =>
    handleSignOut(c, endAllSessions, signedOutEverywherePath),
  );
  pages.all(browserPaths.session, rejectMethod('GET, HEAD, POST'));
  pages.all(browserPaths.end, rejectMethod('POST'));
  pages.all(browserPaths.endEverywhere, rejectMethod('POST'));
}

const rejectMethod = (allow: string) => () => {
  throw methodNotAllowed(allow);
};

/** Shows the sign-in page; redirects a signed-in user to their account. */
async function handleSessionPage(c: Context<AppEnv>) {
  const now = Date.now();
  const browser = await identifyBrowser(c);
  const session = await findCurrentSession(c, browser, now);
  if (session) return c.redirect(homePath, 303);
  const signedOut = c.req.query('signed-out');
  const flash =
    signedOut === 'here'
      ? 'signedOut'
      : signedOut === 'everywhere'
        ? 'signedOutEverywhere'
        : undefined;
  return showSignInPage(c, browser, { returnTo: homePath }, { now, flash });
}
