import type { Hono } from 'hono';
import type { Faces } from '../http/faces.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { DocsPage } from '../pages/docs-page.tsx';
import { settingsOf, type Settings } from '../settings.ts';
import { documentOf } from './document.ts';
import { mountAssets } from './mount-assets.ts';
import { prepared, serve, type Prepared } from './prepared.ts';
import { docsProps } from './props.ts';

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
    return serve(c, page, pageHeaders());
  });
  mountAssets(app);
}

function pageOf({ serviceName, isLocal }: Settings, origin: string, base: string): string {
  const props = docsProps(documentOf(serviceName, base), { origin, base, serviceName, isLocal });
  return `<!doctype html>${(<DocsPage {...props} />).toString()}`;
}
