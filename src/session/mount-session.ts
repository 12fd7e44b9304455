import type { Context, Hono } from 'hono';
import { endAllSessions, endSession } from '../db/sessions.ts';
import type { Faces } from '../http/faces.ts';
import { methodNotAllowed } from '../problem.ts';
import { currentPerson } from './current-person.ts';
import { home, paths } from './paths.ts';
import { showSignIn } from './show-sign-in.tsx';
import { signIn } from './sign-in.ts';
import { signOut } from './sign-out.ts';
import { visitorOf } from './visitor.ts';

const signedOutEverywhere = `${paths.session}?signed-out=everywhere`;

/** Signing in and out: `GET` and `POST /session`, `POST /session/end`, `POST /session/end-everywhere`. */
export function mountSession(pages: Hono<Faces>) {
  pages.use(`${paths.session}/*`, async (c, next) => {
    c.set('operation', 'session');
    await next();
  });
  pages.get(paths.session, (c) => showSession(c));
  pages.post(paths.session, signIn);
  pages.post(paths.end, (c) => signOut(c, endSession));
  pages.post(paths.endEverywhere, (c) => signOut(c, endAllSessions, signedOutEverywhere));
  pages.all(paths.session, refusing('GET, HEAD, POST'));
  pages.all(paths.end, refusing('POST'));
  pages.all(paths.endEverywhere, refusing('POST'));
}

const refusing = (allow: string) => () => {
  throw methodNotAllowed(allow);
};

/** The form, for whoever is not signed in. */
async function showSession(c: Context<Faces>) {
  const now = Date.now();
  const visitor = await visitorOf(c);
  const person = await currentPerson(c, visitor, now);
  if (person) return c.redirect(home, 303);
  const left = c.req.query('signed-out');
  const news =
    left === 'here' ? 'signedOut' : left === 'everywhere' ? 'signedOutEverywhere' : undefined;
  return showSignIn(c, visitor, { to: home }, { now, news });
}
