import type { Hono } from 'hono';
import { logoTypes } from '../accounts/partners/logo-image.ts';
import { notFound } from '../base/errors.ts';
import { logoPath } from '../base/page-paths.ts';
import type { AppEnv } from '../http/app-env.ts';

/**
 * `GET /logos/{client id}/{file}`: the logo of an app. Its name contains a digest of its content,
 * so browsers may keep it for a year. It is an image whatever is in it, and nothing else when it is
 * opened by itself.
 */
export function mountLogos(pages: Hono<AppEnv>): void {
  pages.get(logoPath(':clientId', ':file'), async (c) => {
    const [clientId, file] = [c.req.param('clientId') ?? '', c.req.param('file') ?? ''];
    const [, ending = ''] = /^[\w-]{43}\.(png|jpg|webp)$/.exec(file) ?? [];
    const object =
      ending !== '' && /^[\w-]+$/.test(clientId)
        ? await c.env.ARCHIVE.get(logoPath(clientId, file).slice(1))
        : null;
    if (!object) throw notFound();
    return c.body(object.body, 200, {
      'Content-Type': logoTypes[ending as keyof typeof logoTypes],
      'Content-Length': String(object.size),
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'same-origin',
    });
  });
}
