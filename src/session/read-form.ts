import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { readAtMost } from '../http/read-at-most.ts';
import { forbidden, Problem } from '../problem.ts';
import { isSameOrigin } from './same-origin.ts';

/** The largest form that is read, in bytes: a ticket may hold an authorization request of 8 KiB. */
const maxBytes = 32_768;

/**
 * The fields of a form that was sent from one of our own pages. Throws 403 for one from elsewhere (another
 * origin, or no word of where from), 413 beyond 32 KiB, 415 for anything but `application/x-www-form-urlencoded`.
 */
export async function readForm(c: Context<Faces>): Promise<URLSearchParams> {
  if (!isSameOrigin(c.req.raw)) throw forbidden();
  const type = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/x-www-form-urlencoded') throw new Problem(415);
  const bytes = await readAtMost(c.req.raw, maxBytes);
  if (!bytes) throw new Problem(413);
  return new URLSearchParams(new TextDecoder().decode(bytes));
}
