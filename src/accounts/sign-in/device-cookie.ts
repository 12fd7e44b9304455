import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import type { AppEnv } from '../../http/app-env.ts';

/** `__Host-remembered-device`: up to five tokens of 32 random bytes, one after another. */
const cookieName = 'remembered-device';

/** Users whom one browser is remembered for; the latest ones stay. */
const maxTokens = 5;

const readTokens = (c: Context<AppEnv>): string[] =>
  (getCookie(c, cookieName, 'host')?.match(/[\w-]{43}/g) ?? []).slice(0, maxTokens);

/**
 * The digests of the tokens of this browser. Only the directory knows whose they are, and whether
 * they count.
 */
export const readDeviceHashes = (c: Context<AppEnv>): Promise<string[]> =>
  Promise.all(readTokens(c).map((token) => sha256(token)));

/** Creates a token for this browser. `setCookie` is called once its digest is stored. */
export async function makeDeviceToken(c: Context<AppEnv>) {
  const token = randomBase64url(32);
  return {
    tokenHash: await sha256(token),
    setCookie: () => {
      const tokens = [token, ...readTokens(c)].slice(0, maxTokens);
      setCookie(c, cookieName, tokens.join(''), {
        prefix: 'host',
        secure: true,
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        maxAge: sessionLifetimes.rememberedDevice / 1000,
      });
    },
  };
}
