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
  return { idHash: await renewVisitor(c), isNew: true };
}

/**
 * Gives the browser a new cookie and answers with its digest: at sign-in, so that an id from before is worth
 * nothing afterwards, and at sign-out.
 */
export async function renewVisitor(c: Context<Faces>): Promise<string> {
  const id = randomBase64url(32);
  setCookie(c, name, id, {
    prefix: 'host',
    secure: true,
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: lifetimes.session / 1000,
  });
  return sha256(id);
}
