import type { Context, Hono } from 'hono';
import { brandPaths } from '../base/page-paths.ts';
import { settingsOf } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { assets } from '../web/assets/assets.ts';

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
 * Serves the style sheets and scripts of all pages. An address of another release returns the
 * current text, so that a cached page keeps its style. Only the current address may be cached for a
 * year.
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

/** These have no fingerprint, because the prepared documentation links to them. */
const brandHeaders = (contentType: string) => ({
  'Content-Type': contentType,
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
  // An SVG that is opened by itself is a document.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
});

/**
 * Serves the brand of a deployment: the accent colour, the logo and the icon. The last two are 404
 * if there is none.
 */
function mountBrand(app: Hono<AppEnv>): void {
  app.get(brandPaths.style, (c) => {
    const { accent } = settingsOf(c.env).brand;
    const style = accent ? brandStyle(accent) : '';
    return c.body(style, 200, brandHeaders('text/css; charset=utf-8'));
  });
  app.get(brandPaths.logo, (c) => serveSvg(c, settingsOf(c.env).brand.logo));
  app.get(brandPaths.icon, (c) => serveSvg(c, settingsOf(c.env).brand.favicon));
}

const serveSvg = (c: Context<AppEnv>, svg: string | undefined) =>
  svg === undefined ? c.notFound() : c.body(svg, 200, brandHeaders('image/svg+xml'));

/** The accent colour of a brand, for light and dark mode, and the text on it. */
interface AccentColors {
  light: string;
  onLight: string;
  dark: string;
  onDark: string;
}

/** The style sheet that replaces the accent colour. */
export const brandStyle = ({ light, onLight, dark, onDark }: AccentColors) =>
  `
:root { --accent: ${light}; --on-accent: ${onLight}; }
@media (prefers-color-scheme: dark) {
  :root { --accent: ${dark}; --on-accent: ${onDark}; }
}
`.trim();

export type DocsContext = Context<AppEnv>;

/** Fetches a file of the built documentation (`dist/docs`); `undefined` if there is none. */
export async function fetchFile(c: DocsContext, path: string): Promise<Response | undefined> {
  // The host means nothing: only the path chooses a file.
  const response = await c.env.ASSETS.fetch(new URL(path, 'https://assets.invalid'));
  if (response.status === 200) return response;
  await response.body?.cancel();
  return undefined;
}
