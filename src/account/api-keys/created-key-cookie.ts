import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { AppEnv } from '../../http/app-env.ts';
import { FormToken } from '../../session/form-token.ts';
import type { PageContext } from '../../session/user-pages.ts';
import { settingsOf } from '../../settings.ts';

/** The two parts of an API key: `User-Token` and `User-Secret-Key`. */
export interface CreatedApiKey {
  token: string;
  secret: string;
}

/** `__Host-made-key`. */
const cookieName = 'made-key';
const cookieOptions = { prefix: 'host', secure: true, path: '/' } as const;

/** How long a new key can still be shown, in milliseconds. */
const lifetimeMs = 60_000;

const createdKeyToken = new FormToken<CreatedApiKey>('created-api-key');

/**
 * Stores a new key, sealed for this browser, in a cookie that lives for a minute. The server keeps no secret, and
 * reloading the page that shows the key neither creates another one nor shows it again.
 */
export async function stashApiKey(
  c: Context<AppEnv>,
  { browser, now }: PageContext,
  apiKey: CreatedApiKey,
) {
  const sealed = await createdKeyToken.seal(settingsOf(c.env), browser, apiKey, now + lifetimeMs);
  setCookie(c, cookieName, sealed, {
    ...cookieOptions,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: lifetimeMs / 1000,
  });
}

/** Reads the key from the cookie and deletes the cookie. Returns `undefined` when there is none. */
export async function takeApiKey(
  c: Context<AppEnv>,
  { browser, now }: PageContext,
): Promise<CreatedApiKey | undefined> {
  const sealed = getCookie(c, cookieName, 'host');
  if (sealed === undefined) return undefined;
  deleteCookie(c, cookieName, cookieOptions);
  const opened = await createdKeyToken.openText(settingsOf(c.env), browser, sealed, now);
  return 'error' in opened ? undefined : opened.data;
}
