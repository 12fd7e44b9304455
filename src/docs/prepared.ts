import type { Context } from 'hono';
import { fingerprint } from '../pages/fingerprint.ts';

/** A text that is made once per isolate and served many times. */
export interface Prepared {
  text: string;
  etag: string;
}

/** Names a text by what it says. */
export const prepared = (text: string): Prepared => ({ text, etag: `"${fingerprint(text)}"` });

/** Serves it, or 304 to a client that has it (RFC 9110 13.1.2). */
export function serve(
  c: Context,
  { text, etag }: Prepared,
  headers: Record<string, string>,
): Response {
  const all = { ETag: etag, 'Cache-Control': 'public, max-age=300', ...headers };
  const known = (c.req.header('If-None-Match') ?? '').split(',').map((one) => one.trim());
  if (known.some((one) => one === '*' || one.replace(/^W\//, '') === etag)) {
    return c.body(null, 304, all);
  }
  return c.body(text, 200, all);
}
