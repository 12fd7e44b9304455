import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { findSession, touchSession, type UserSession } from '../../data/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { findLanguage, languageParameter } from '../render-page.ts';

/** `__Host-session`: host only, `Secure`, `Path=/` (RFC 6265bis, section 4.1.3). */
const cookieName = 'session';

/** A browser, identified by its cookie. Only the directory knows whether a user is signed in. */
export interface BrowserIdentity {
  /** SHA-256 of the cookie, as base64url. The cookie itself is never stored. */
  idHash: string;
  /** Whether the request had no cookie, so that no user can be signed in. */
  isNew: boolean;
}

/**
 * Identifies the browser of a request. A browser without a cookie gets one before any sign-in,
 * because forms are bound to the cookie. A form for one browser does not work in another.
 */
export async function identifyBrowser(c: Context<AppEnv>): Promise<BrowserIdentity> {
  const cookie = getCookie(c, cookieName, 'host');
  if (cookie !== undefined && /^[\w-]{43}$/.test(cookie)) {
    return { idHash: await sha256(cookie), isNew: false };
  }
  const id = generateBrowserId();
  setBrowserCookie(c, id);
  return { idHash: await sha256(id), isNew: true };
}

/** Whether a request has such a cookie, whose browser may be signed in. */
export const hasBrowserCookie = (c: Context<AppEnv>): boolean =>
  getCookie(c, cookieName, 'host') !== undefined;

/**
 * Generates the value of a new cookie. Signing in and out change the cookie, so an earlier value
 * becomes worthless.
 */
export const generateBrowserId = () => randomBase64url(32);

export function setBrowserCookie(c: Context<AppEnv>, id: string): void {
  setCookie(c, cookieName, id, {
    prefix: 'host',
    secure: true,
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    // It outlives the session by a form that was open at its end.
    maxAge: (sessionLifetimes.session + sessionLifetimes.form) / 1000,
  });
}

/**
 * Returns the signed-in user with the stores that they may open, or `undefined`. One round trip to
 * the directory, none for a browser without a cookie.
 */
export async function findCurrentSession(
  c: Context<AppEnv>,
  browser: BrowserIdentity,
  now: number,
): Promise<UserSession | undefined> {
  if (browser.isNew) return undefined;
  const directory = openDatabase(c.env.DIRECTORY);
  const session = await findSession(directory, browser.idHash, now);
  if (session) extendSession(c, browser, session, now);
  return session;
}

/**
 * Moves the end of a session that is in use, and keeps the language that its user reads. Writes at
 * most every five minutes, and when the language is switched, after the response.
 */
function extendSession(
  c: Context<AppEnv>,
  browser: BrowserIdentity,
  { startedAt, seenAt, user }: UserSession,
  now: number,
): void {
  const isSwitched = c.req.query(languageParameter) !== undefined;
  if (now - seenAt < sessionLifetimes.seenLag && !isSwitched) return;
  const language = findLanguage(c, user.language);
  const use = { userId: user.id, language, now, expiresAt: sessionExpiry(startedAt, now) };
  c.executionCtx.waitUntil(touchSession(openDatabase(c.env.DIRECTORY), browser.idHash, use));
}

/** Returns the end of a session that is used now. */
export const sessionExpiry = (startedAt: number, now: number) =>
  Math.min(startedAt + sessionLifetimes.session, now + sessionLifetimes.idle);
