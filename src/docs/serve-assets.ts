import type { Hono } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { assets } from '../web/assets/assets.ts';
import { fetchFile } from './built-files.ts';
import { mountBrand } from './serve-brand.ts';

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

const assetHeaders = (contentType: string, isCurrent: boolean) => ({
  'Content-Type': contentType,
  'Cache-Control': `public, max-age=${isCurrent ? '31536000, immutable' : '300'}`,
  'X-Content-Type-Options': 'nosniff',
});

/** Takes the fingerprint out of `name.fingerprint.extension`; `undefined` for any other name. */
const splitName = (file: string) =>
  /^(?<name>\w+)\.\w+\.(?<extension>\w+)$/.exec(file)?.groups as
    | { name: string; extension: string }
    | undefined;

/**
 * Serves the style sheets and scripts of all pages. An address of another release returns the current text,
 * so that a cached page keeps its style. Only the current address may be cached for a year.
 */
export function mountAssets(app: Hono<AppEnv>) {
  mountBrand(app);
  // Those of the documentation are files of its build.
  app.get('/assets/docs/:file', async (c) => {
    const serve = ({ body, headers }: Response, isCurrent: boolean) =>
      new Response(body, {
        headers: assetHeaders(headers.get('Content-Type') ?? 'text/plain', isCurrent),
      });
    const file = await fetchFile(c, c.req.path);
    if (file) return serve(file, true);
    const parts = splitName(c.req.param('file'));
    if (!parts) return c.notFound();
    const listed = await fetchFile(c, '/assets.json');
    const addresses = (await listed?.json<Record<string, string>>()) ?? {};
    const name = `${parts.name}.${parts.extension}`;
    const current = Object.hasOwn(addresses, name) && (await fetchFile(c, addresses[name] ?? ''));
    return current ? serve(current, false) : c.notFound();
  });

  // Those of the other pages are part of the Worker.
  app.get('/assets/:file', (c) => {
    const parts = splitName(c.req.param('file'));
    const asset = assets.find(
      ({ name, extension }) => name === parts?.name && extension === parts.extension,
    );
    if (!asset) return c.notFound();
    const isCurrent = asset.href === c.req.path;
    return c.body(asset.text, 200, assetHeaders(contentTypes[asset.extension], isCurrent));
  });
}
