import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { randomBase64url } from '../crypto/random.ts';
import { sha256 } from '../crypto/sha256.ts';
import type { Faces } from '../http/faces.ts';
import { lifetimes } from './lifetimes.ts';

/** `__Host-session`: host only, `Secure`, `Path=/` (RFC 6265bis, section 4.1.3). */
const name = 'session';

/** What is known of a browser by its cookie alone; whether somebody is signed in is a question to the directory. */
export interface Visitor {
  /** SHA-256 (base64url) of the cookie; the cookie itself is never kept. */
  idHash: string;
  /** Whether the browser brought no cookie, so that nobody can be signed in. */
  isNew: boolean;
}

/**
 * The browser that asks. One without a cookie gets one, before anybody signs in: forms are bound to it, so that
 * a form made for one browser is of no use in another.
 */
export async function visitorOf(c: Context<Faces>): Promise<Visitor> {
  const sent = getCookie(c, name, 'host');
  if (sent !== undefined && /^[\w-]{43}$/.test(sent)) {
    return { idHash: await sha256(sent), isNew: false };
  }
  const id = newVisitorId();
  giveCookie(c, id);
  return { idHash: await sha256(id), isNew: true };
}

/** The value of a new cookie: at sign-in and sign-out, so that an id from before is worth nothing afterwards. */
export const newVisitorId = () => randomBase64url(32);

/** Puts a visitor's id into the browser. */
export function giveCookie(c: Context<Faces>, id: string): void {
  setCookie(c, name, id, {
    prefix: 'host',
    secure: true,
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: lifetimes.session / 1000,
  });
}
