import type { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { DocsPage } from '../pages/docs-page.tsx';
import { settingsOf, type Settings } from '../settings.ts';
import { documentOf } from './document.ts';
import { mountAssets } from './mount-assets.ts';
import { prepared, serve, type Prepared } from './prepared.ts';
import { docsProps } from './props.ts';

/** The page is text and a style sheet: nothing of another host, no inline code, no frame, no form. */
const pageHeaders = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
};

/** `/openapi.json`, `/docs` and the files of the pages; nobody has to sign in for them. */
export function mountDocs(app: Hono<Faces>, base: string) {
  // Texts are made by the first request that wants them; of pages only the last address is kept.
  let json: Prepared | undefined;
  let page: (Prepared & { origin: string }) | undefined;
  app.get('/openapi.json', (c) => {
    const { serviceName } = settingsOf(c.env);
    json ??= prepared(JSON.stringify(documentOf(serviceName, base)));
    return serve(c, json, {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  app.get('/docs', (c) => {
    const { origin } = new URL(c.req.url);
    if (page?.origin !== origin) {
      page = { origin, ...prepared(pageOf(settingsOf(c.env), origin, base)) };
    }
    return serve(c, page, pageHeaders);
  });
  mountAssets(app);
}

function pageOf({ serviceName, isLocal }: Settings, origin: string, base: string): string {
  const props = docsProps(documentOf(serviceName, base), { origin, base, serviceName, isLocal });
  return `<!doctype html>${(<DocsPage {...props} />).toString()}`;
}
