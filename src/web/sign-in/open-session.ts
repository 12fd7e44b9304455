import { sql, type SQL } from 'drizzle-orm';
import type { Context } from 'hono';
import { startSessionStatements, type NewSession } from '../../accounts/sign-in/session-actions.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { sessions } from '../../data/schema/directory/credentials-tables.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { detectLanguage } from '../render-page.ts';
import {
  generateBrowserId,
  sessionExpiry,
  setBrowserCookie,
  type BrowserIdentity,
} from './browser-session.ts';

/**
 * Describes a session of this browser under a new cookie. `factorAt` is the time of the code that
 * it was opened with. `setCookie` is called once the session is stored.
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
    language: detectLanguage(c),
    device: describeDevice(c.req.header('User-Agent')),
  };
  return { session, setCookie: () => setBrowserCookie(c, id) };
}

/**
 * Prepares a session of this browser. `start` returns its statements, for the batch of its cause;
 * they end the former session of the browser and do nothing unless `where` holds. `isStarted` is
 * the condition for what follows it.
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
    isStarted: sql`exists (select 1 from ${sessions} where id_hash = ${session.idHash})`,
    device: session.device,
    setCookie,
  };
}

const browsers = [
  ['Edge', /\bEdg(?:e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS|Chromium)\//],
  ['Safari', /\bSafari\//],
] as const;

const systems = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Describes a browser and its system in words, such as `Firefox, Linux`, for its user to recognise.
 * Empty for others. The header itself is not stored: it is long, and no page shows it.
 */
export function describeDevice(userAgent: string | undefined): string {
  const sent = (userAgent ?? '').slice(0, 1_000);
  const names = [browsers, systems].map((kinds) => kinds.find(([, mark]) => mark.test(sent))?.[0]);
  return names.filter(Boolean).join(', ');
}
