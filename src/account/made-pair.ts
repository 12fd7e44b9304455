import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import type { Faces } from '../http/faces.ts';
import { FormTicket } from '../session/form-ticket.ts';
import type { Here } from '../session/signed-in.ts';
import { settingsOf } from '../settings.ts';

/** The two parts of a header pair: `User-Token` and `User-Secret-Key`. */
export interface MadePair {
  token: string;
  secret: string;
}

/** `__Host-made-key`. */
const name = 'made-key';
const prefix = { prefix: 'host', secure: true, path: '/' } as const;

/** How long a new pair waits to be shown, in milliseconds. */
const lifetime = 60_000;

const pairTicket = new FormTicket<MadePair>('made-pair');

/**
 * Hands a new pair over to the page that shows it: sealed, in a cookie of this browser for a minute, so that
 * the secret is never kept on our side and reloading that page neither makes a pair nor shows one again.
 */
export async function handOver(c: Context<Faces>, { visitor, now }: Here, pair: MadePair) {
  const sealed = await pairTicket.seal(settingsOf(c.env), visitor, pair, now + lifetime);
  setCookie(c, name, sealed, {
    ...prefix,
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: lifetime / 1000,
  });
}

/** Takes the pair that was handed over; `undefined` when there is none any more. */
export async function takeOver(
  c: Context<Faces>,
  { visitor, now }: Here,
): Promise<MadePair | undefined> {
  const ticket = getCookie(c, name, 'host');
  if (ticket === undefined) return undefined;
  deleteCookie(c, name, prefix);
  const form = new URLSearchParams({ ticket });
  const opened = await pairTicket.open(settingsOf(c.env), visitor, form, now);
  return 'fault' in opened ? undefined : opened.data;
}
