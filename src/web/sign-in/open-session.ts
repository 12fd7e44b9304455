import type { SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { startSessionStatements, type NewSession } from '../../accounts/sign-in/start-session.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { detectLanguage } from '../render-page.ts';
import {
  generateBrowserId,
  sessionExpiry,
  setBrowserCookie,
  type BrowserIdentity,
} from './browser-session.ts';
import { describeDevice } from './device.ts';

/**
 * Describes a session of this browser under a new cookie. `factorAt` is the time of the code that it was opened with.
 * `setCookie` is called once the session is stored.
 */
export async function describeNewSession(
  c: Context<AppEnv>,
  {
    browser,
    now,
    factorAt = null,
  }: { browser: BrowserIdentity; now: number; factorAt?: number | null },
) {
  const id = generateBrowserId();
  const session: Omit<NewSession, 'userId'> = {
    idHash: await sha256(id),
    formerIdHash: browser.idHash,
    expiresAt: sessionExpiry(now, now),
    factorAt,
    device: describeDevice(c.req.header('User-Agent')),
    language: detectLanguage(c),
  };
  return { session, setCookie: () => setBrowserCookie(c, id) };
}

/**
 * Prepares a session of this browser. `start` returns its statements, for the batch of its cause; they end the former
 * session of the browser and do nothing unless `where` holds.
 */
export async function prepareSession(
  c: Context<AppEnv>,
  action: ActionContext,
  { browser, factorAt = null }: { browser: BrowserIdentity; factorAt?: number | null },
) {
  const { session, setCookie } = await describeNewSession(c, {
    browser,
    now: action.now,
    factorAt,
  });
  return {
    start: (userId: number | SQL, where?: SQL) =>
      startSessionStatements(action, { ...session, userId }, where),
    setCookie,
  };
}
