import type { Context } from 'hono';
import { ForeignFormError, HttpError } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { readLimitedBody } from '../../http/body/read-limited-body.ts';

/** In bytes. A form token may hold an authorization request of 8 KiB. */
const maxPageFormBytes = 32_768;

/**
 * Reads a form that one of our own pages sent. Throws a 403 for a form of another or unknown origin, a 415 for
 * anything but `application/x-www-form-urlencoded`, and a 413 beyond 32 KiB.
 */
export async function readPageForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  if (!isSameOrigin(c.req.raw)) throw new ForeignFormError();
  const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new HttpError('unsupported_media_type');
  const bytes = await readLimitedBody(c.req.raw, maxPageFormBytes);
  if (!bytes) throw new HttpError('body_too_large');
  return new URLSearchParams(new TextDecoder().decode(bytes));
}

/**
 * Whether a browser states that a page of this origin sent the form. Our pages send no referrer, so browsers send
 * `Origin: null` (Fetch standard); then `Sec-Fetch-Site`, which no page can set, decides. A request with neither
 * header is rejected.
 */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  const origin = request.headers.get('Origin');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null || origin === 'null') return site !== null;
  return origin === new URL(request.url).origin;
}
