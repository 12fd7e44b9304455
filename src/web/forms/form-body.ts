import type { Context } from 'hono';
import { ForeignFormError, HttpError } from '../../base/errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { readLimitedBody } from '../../http/read-body.ts';

/** In bytes. A form token may hold an authorization request of 8 KiB. */
const maxPageFormBytes = 32_768;

/**
 * Reads a form that a page of this service sent. Throws a 403 for a form of another or unknown origin, a 415 for
 * anything but `application/x-www-form-urlencoded`, and a 413 beyond 32 KiB.
 */
export async function readPageForm(c: Context<AppEnv>): Promise<URLSearchParams> {
  if (!isSameOrigin(c.req.raw)) throw new ForeignFormError();
  const mediaType = c.req.header('Content-Type')?.split(';')[0]?.trim().toLowerCase();
  if (mediaType !== 'application/x-www-form-urlencoded')
    throw new HttpError('unsupported_media_type');
  const bytes = await readLimitedBody(c.req.raw, maxPageFormBytes);
  if (!bytes) throw new HttpError('body_too_large');
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  const parsed = new FormData();
  for (const [name, value] of form) parsed.append(name, value);
  // The validator of the fields takes the form from here, as it would from a body of any length.
  c.req.bodyCache.formData = parsed;
  return form;
}

/**
 * Whether a browser states that a page of this origin sent the form. Pages of this service send no referrer, so
 * browsers send `Origin: null` (Fetch standard); then `Sec-Fetch-Site`, which no page can set, decides. A request
 * with neither header is rejected.
 */
function isSameOrigin(request: Request): boolean {
  const site = request.headers.get('Sec-Fetch-Site');
  const origin = request.headers.get('Origin');
  if (site !== null && site !== 'same-origin') return false;
  if (origin === null || origin === 'null') return site !== null;
  return origin === new URL(request.url).origin;
}
