import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../../http/app-env.ts';
import { FormToken } from '../../session/forms/form-token.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';

/** What the panel keeps while it plays an app: what the app itself would keep between request and callback. */
interface Trial {
  clientId: string;
  alias: string;
  state: string;
  /** The PKCE verifier. */
  verifier: string;
}

/** `__Host-trial`. */
const cookieName = 'trial';
const cookieOptions = { prefix: 'host', secure: true, path: '/' } as const;

/** Time to sign in and decide, in milliseconds. */
const lifetimeMs = 15 * 60_000;

const trialToken = new FormToken<Trial>('app-trial');

/** Keeps a trial, sealed for this browser, in a cookie. A new one replaces it. */
export async function keepTrial(c: Context<AppEnv>, { browser, now }: PageContext, trial: Trial) {
  const sealed = await trialToken.seal(settingsOf(c.env), browser, trial, now + lifetimeMs);
  setCookie(c, cookieName, sealed, {
    ...cookieOptions,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: lifetimeMs / 1000,
  });
}

/** Reads the trial from the cookie and deletes the cookie, so that the page of its result redeems a code once. */
export async function takeTrial(
  c: Context<AppEnv>,
  { browser, now }: PageContext,
): Promise<Trial | undefined> {
  const sealed = getCookie(c, cookieName, 'host');
  if (sealed === undefined) return undefined;
  deleteCookie(c, cookieName, cookieOptions);
  const opened = await trialToken.openText(settingsOf(c.env), browser, sealed, now);
  return 'error' in opened ? undefined : opened.data;
}
