import type { SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { sha256 } from '../crypto/digest.ts';
import type { AppEnv } from '../http/app-env.ts';
import type { DeedContext } from '../people/deed.ts';
import { startSessionStatements, type NewSession } from '../people/sessions/start-session.ts';
import {
  generateBrowserId,
  sessionExpiry,
  setBrowserCookie,
  type BrowserIdentity,
} from './browser-session.ts';
import { describeDevice } from './device.ts';
import { detectLanguage } from './pages/language.ts';

/** Describes a session of this browser under a new cookie. `setCookie` is called once the session is stored. */
export async function describeNewSession(
  c: Context<AppEnv>,
  { browser, now }: { browser: BrowserIdentity; now: number },
) {
  const id = generateBrowserId();
  const session: Omit<NewSession, 'userId'> = {
    idHash: await sha256(id),
    formerIdHash: browser.idHash,
    expiresAt: sessionExpiry(now, now),
    device: describeDevice(c.req.header('User-Agent')),
    language: detectLanguage(c),
  };
  return { session, setCookie: () => setBrowserCookie(c, id) };
}

/**
 * Prepares a session of this browser. `start` makes its statements, for the batch of its cause; they end the former session
 * of the browser and do nothing unless `where` holds.
 */
export async function prepareSession(
  c: Context<AppEnv>,
  deed: DeedContext,
  { browser }: { browser: BrowserIdentity },
) {
  const { session, setCookie } = await describeNewSession(c, { browser, now: deed.now });
  return {
    start: (userId: number | SQL, where?: SQL) =>
      startSessionStatements(deed, { ...session, userId }, where),
    setCookie,
  };
}
