import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { fromBase64, toBase64url } from '../../base/crypto/base64.ts';
import { computeMac, verifyMac } from '../../base/crypto/hmac.ts';
import { deriveKey, rootsOf } from '../../base/crypto/keys.ts';
import { randomBytes } from '../../base/crypto/random.ts';
import { settingsOf } from '../../base/settings.ts';
import type { AppEnv } from '../../http/app-env.ts';

/** `__Host-known-browser`: up to five marks, one after another. */
const cookieName = 'known-browser';

/** Accounts that one browser is known for; the latest ones stay. */
const maxMarks = 5;

// Layout of a mark: expiry in seconds (4 bytes), random id (14), MAC (18); 48 characters of
// base64url.
const idOffset = 4;
const macOffset = 18;
const macLength = 18;
const markPattern = /[\w-]{48}/g;

const encoder = new TextEncoder();

/**
 * Returns the id of the mark that this browser got when it last signed in to an account;
 * `undefined` for an unknown browser. A mark names no account: only a MAC binds it to one. It
 * proves nothing but that sign-in, so it never replaces a password.
 */
export async function findBrowserMark(
  c: Context<AppEnv>,
  email: string,
  now: number,
): Promise<string | undefined> {
  const [mark] = (await readMarks(c, email, now)).own;
  return mark?.slice(0, (macOffset * 4) / 3);
}

/** Marks this browser as known for an account, in place of its former mark. */
export async function rememberBrowser(
  c: Context<AppEnv>,
  email: string,
  now: number,
): Promise<void> {
  const [{ others }, [key]] = await Promise.all([readMarks(c, email, now), markKeys(c)]);
  const bytes = new Uint8Array(macOffset + macLength);
  const expiresAt = now + sessionLifetimes.knownBrowser;
  new DataView(bytes.buffer).setUint32(0, Math.floor(expiresAt / 1000));
  bytes.set(randomBytes(macOffset - idOffset), idOffset);
  const content = bytes.subarray(0, macOffset);
  bytes.set(await computeMac(key, bindTo(email, content), macLength), macOffset);
  const marks = [toBase64url(bytes), ...others].slice(0, maxMarks);
  setCookie(c, cookieName, marks.join(''), {
    prefix: 'host',
    secure: true,
    path: '/',
    httpOnly: true,
    sameSite: 'Strict',
    maxAge: sessionLifetimes.knownBrowser / 1000,
  });
}

/** Splits the marks of the cookie into valid ones of an account and all others. */
async function readMarks(
  c: Context<AppEnv>,
  email: string,
  now: number,
): Promise<{ own: string[]; others: string[] }> {
  const cookie = getCookie(c, cookieName, 'host') ?? '';
  const keys = await markKeys(c);
  const own: string[] = [];
  const others: string[] = [];
  for (const mark of (cookie.match(markPattern) ?? []).slice(0, maxMarks)) {
    const bytes = fromBase64(mark);
    const content = bindTo(email, bytes.subarray(0, macOffset));
    const verified = await Promise.all(
      keys.map((key) => verifyMac(key, content, bytes.subarray(macOffset))),
    );
    const isOwn = verified.includes(true);
    if (!isOwn) others.push(mark);
    else if (new DataView(bytes.buffer).getUint32(0) * 1000 > now) own.push(mark);
  }
  return { own, others };
}

/** The signed bytes: those of the mark, then the account. */
function bindTo(email: string, content: Uint8Array): Uint8Array {
  const account = encoder.encode(email.toLowerCase());
  const bytes = new Uint8Array(content.length + account.length);
  bytes.set(content);
  bytes.set(account, content.length);
  return bytes;
}

/**
 * The keys of marks, the current one first. A mark under a key that is gone is one of an unknown
 * browser.
 */
function markKeys(c: Context<AppEnv>): Promise<[CryptoKey, ...CryptoKey[]]> {
  const toKey = (root: string) => deriveKey(root, 'known-browser/v1', 'sign');
  const [current, ...previous] = rootsOf(settingsOf(c.env).tokenKeys);
  return Promise.all([toKey(current), ...previous.map(toKey)]);
}
