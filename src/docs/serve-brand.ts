import type { Context, Hono } from 'hono';
import { settingsOf } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { brandStyle } from '../web/assets/brand-style.ts';
import { brandPaths } from '../web/paths.ts';

/** These have no fingerprint, because the prepared documentation links to them. */
const brandHeaders = (contentType: string) => ({
  'Content-Type': contentType,
  'Cache-Control': 'public, max-age=300',
  'X-Content-Type-Options': 'nosniff',
  // An SVG that is opened by itself is a document.
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
});

/**
 * Serves the brand of a deployment: the accent colour, the logo and the icon. The last two are 404 if there is none.
 */
export function mountBrand(app: Hono<AppEnv>): void {
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
