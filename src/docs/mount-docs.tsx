import type { Context, Hono } from 'hono';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { pageHeaders } from '../http/headers/page-headers.ts';
import { assets } from '../pages/assets/assets.ts';
import { fingerprint } from '../pages/assets/fingerprint.ts';
import { DocsPage } from '../pages/docs/docs-page.tsx';
import { settingsOf } from '../settings.ts';
import type { LocalExample } from './curl-examples.ts';
import { getOpenApiDocument } from './openapi-document.ts';
import { buildDocsProps } from './page-props.ts';

/** A response body that is built once per isolate. */
interface CachedText {
  text: string;
  etag: string;
}

const withEtag = (text: string): CachedText => ({ text, etag: `"${fingerprint(text)}"` });

const dayMs = 86_400_000;

/** Returns the text, or 304 when `If-None-Match` contains its ETag (RFC 9110, section 13.1.2). */
function serveCached(
  c: Context,
  { text, etag }: CachedText,
  headers: Record<string, string>,
): Response {
  const allHeaders = { ETag: etag, 'Cache-Control': 'public, max-age=300', ...headers };
  const clientEtags = (c.req.header('If-None-Match') ?? '').split(',').map((tag) => tag.trim());
  // A proxy that compresses the body makes the tag weak.
  if (clientEtags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag)) {
    return c.body(null, 304, allHeaders);
  }
  return c.body(text, 200, allHeaders);
}

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' };

/**
 * Serves the style sheets and scripts of all pages. An address of another release returns the current text,
 * so that a cached page keeps its style. Only the current address may be cached for a year.
 */
function mountAssets(app: Hono<AppEnv>) {
  app.get('/assets/:file', (c) => {
    const [, name, extension] = /^(\w+)\.\w+\.(\w+)$/.exec(c.req.param('file')) ?? [];
    const asset = assets.find((asset) => asset.name === name && asset.extension === extension);
    if (!asset) throw notFound();
    const isCurrent = asset.href === c.req.path;
    return c.body(asset.text, 200, {
      'Content-Type': contentTypes[asset.extension],
      'Cache-Control': `public, max-age=${isCurrent ? '31536000, immutable' : '300'}`,
      'X-Content-Type-Options': 'nosniff',
    });
  });
}

/**
 * Adds `/openapi.json`, `/docs` and `/assets`, which need no authentication. `localExample` fills the examples
 * of a local deployment; any other deployment shows placeholders.
 */
export function mountDocs(app: Hono<AppEnv>, basePath: string, localExample?: LocalExample) {
  // Both texts are built by the first request. The page is cached for the latest origin only.
  let openApi: CachedText | undefined;
  let page: (CachedText & { origin: string }) | undefined;
  app.get('/openapi.json', (c) => {
    const { serviceName } = settingsOf(c.env);
    openApi ??= withEtag(JSON.stringify(getOpenApiDocument(serviceName, basePath)));
    return serveCached(c, openApi, {
      'Content-Type': 'application/json',
      'X-Content-Type-Options': 'nosniff',
    });
  });
  app.get('/docs', (c) => {
    const { origin } = new URL(c.req.url);
    const { serviceName, isLocal, retention } = settingsOf(c.env);
    if (page?.origin !== origin) {
      const props = buildDocsProps(getOpenApiDocument(serviceName, basePath), {
        origin,
        basePath,
        serviceName,
        eventDays: retention.deliveredEventMs / dayMs,
        localExample: isLocal ? localExample : undefined,
      });
      page = { origin, ...withEtag(`<!doctype html>${(<DocsPage {...props} />).toString()}`) };
    }
    return serveCached(c, page, pageHeaders());
  });
  mountAssets(app);
}
