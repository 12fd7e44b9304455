import type { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { assets } from '../pages/assets.ts';
import { notFound } from '../problem.ts';

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/**
 * The style sheets and scripts of all pages. An address of an older or newer release answers with the
 * current text, so that a page that is still cached keeps its looks; only the right one is kept for long.
 */
export function mountAssets(app: Hono<Faces>) {
  app.get('/assets/:file', (c) => {
    const [, name, extension] = /^(\w+)\.\w+\.(\w+)$/.exec(c.req.param('file')) ?? [];
    const asset = assets.find((one) => one.name === name && one.extension === extension);
    if (!asset) throw notFound();
    const isCurrent = asset.href === c.req.path;
    return c.body(asset.text, 200, {
      'Content-Type': types[asset.extension],
      'Cache-Control': `public, max-age=${isCurrent ? '31536000, immutable' : '300'}`,
      'X-Content-Type-Options': 'nosniff',
    });
  });
}
