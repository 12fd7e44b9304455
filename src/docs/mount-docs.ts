import type { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import type { Language } from '../base/languages.ts';
import { brandPaths } from '../base/page-paths.ts';
import { settingsOf, serviceOrigin } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { fingerprint } from '../web/assets/assets.ts';
import { detectLanguage, pageHeaders } from '../web/render-page.ts';
import { fillPlaceholders, type Placeholders } from './placeholders.ts';
import { type DocsContext, fetchFile, mountAssets } from './serve-assets.ts';

/** The example store of a local deployment: with its API key the examples work as they stand. */
export interface LocalExample {
  alias: string;
  userToken: string;
  userSecretKey: string;
  operatorToken: string;
  operatorSecretKey: string;
}

/** The frame of the pages in English only, in the language of the reader. */
const readerFrames: Record<Language, Pick<Placeholders, `reader${string}` & keyof Placeholders>> = {
  en: {
    reader: '',
    reader_docs: 'Documentation',
    reader_guides: 'Guides',
    reader_reference: 'Reference',
    reader_note: '',
  },
  'pt-BR': {
    reader: '/pt-br',
    reader_docs: 'Documentação',
    reader_guides: 'Guias',
    reader_reference: 'Referência',
    reader_note:
      '<p class="note" lang="pt-BR">Esta página existe só em inglês. <a href="/docs/pt-br">Voltar à documentação em português</a></p>',
  },
  es: {
    reader: '/es',
    reader_docs: 'Documentación',
    reader_guides: 'Guías',
    reader_reference: 'Referencia',
    reader_note:
      '<p class="note" lang="es">Esta página existe solo en inglés. <a href="/docs/es">Volver a la documentación en español</a></p>',
  },
};

const fiveMinutes = 'public, max-age=300';

const escapeHtml = (text: string) =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The documents below `/docs` that are no pages, by the ending of their address. */
const documentTypes = new Map([
  ['json', 'application/json'],
  ['md', 'text/markdown; charset=utf-8'],
  ['atom', 'application/atom+xml; charset=utf-8'],
]);

/** Whether a page has no translation, so that its frame alone is in the language of the reader. */
const isEnglishOnly = (path: string) => /^\/docs\/reference(?:\/[^.]*)?$/.test(path);

const documentHeaders = (contentType: string) => ({
  'Content-Type': contentType,
  'X-Content-Type-Options': 'nosniff',
});

/**
 * The page that a reader means by an address that no page has. Guides in English have no `/en`, and
 * the reference is in English only.
 */
function pathInstead(path: string): string | undefined {
  if (path.endsWith('/changelog')) {
    return `${path.slice(0, -'/changelog'.length).replace(/\/en$/, '')}/guides/versions#changelog`;
  }
  const [, start = '', rest = ''] =
    /^\/docs(\/[a-z-]+)?(\/(?:guides|reference).*)$/.exec(path) ?? [];
  const isEnglish = start === '/en' || (start !== '' && rest.startsWith('/reference'));
  return isEnglish ? `/docs${rest}` : undefined;
}

/**
 * Headers of the pages. The search loads its index from the own host, and the interactive reference
 * sends requests to it.
 */
const sitePageHeaders = pageHeaders({ directives: { 'connect-src': "'self'" } });

/** Returns 304 when `If-None-Match` contains the ETag (RFC 9110, section 13.1.2). */
function isKnown(c: DocsContext, etag: string): boolean {
  const clientEtags = (c.req.header('If-None-Match') ?? '').split(',').map((tag) => tag.trim());
  // A proxy that compresses the body makes the tag weak.
  return clientEtags.some((tag) => tag === '*' || tag.replace(/^W\//, '') === etag);
}

/**
 * Adds `/docs`, `/openapi.json`, `/openapi.yaml`, `/llms.txt` and `/assets`, which need no
 * authentication. `localExample` fills the examples of a local deployment; any other deployment
 * shows names in capital letters.
 */
export function mountDocs(app: Hono<AppEnv>, localExample?: LocalExample) {
  const valuesOf = (c: DocsContext): Placeholders => {
    const settings = settingsOf(c.env);
    const { serviceName, isLocal, brand } = settings;
    const example = isLocal ? localExample : undefined;
    return {
      // The one character of a host that could end a text in JSON or HTML.
      origin: serviceOrigin(settings, c.req.url).replaceAll('"', '%22'),
      service: serviceName,
      SERVICE: serviceName.toUpperCase(),
      brand: escapeHtml(brand.name),
      icon: brand.favicon === undefined ? 'data:,' : brandPaths.icon,
      user_token: example?.userToken ?? 'YOUR_API_KEY',
      user_secret: example?.userSecretKey ?? 'YOUR_API_SECRET_KEY',
      operator_token: example?.operatorToken ?? 'OPERATOR_API_KEY',
      operator_secret: example?.operatorSecretKey ?? 'OPERATOR_API_SECRET_KEY',
      store: example?.alias ?? 'YOUR-STORE',
      ...readerFrames[isEnglishOnly(c.req.path) ? detectLanguage(c) : 'en'],
    };
  };

  /**
   * Serves a text of the build with the values of this deployment; `undefined` if there is no such
   * file.
   */
  const serveText = async (
    c: DocsContext,
    path: string,
    headers: Record<string, string>,
    status: 200 | 404 = 200,
  ): Promise<Response | undefined> => {
    const file = await fetchFile(c, path);
    if (!file) return undefined;
    const values = valuesOf(c);
    const etag = `"${fingerprint([file.headers.get('ETag'), ...Object.values(values)].join('\n'))}"`;
    const allHeaders = { ETag: etag, 'Cache-Control': fiveMinutes, ...headers };
    if (status === 200 && isKnown(c, etag)) {
      await file.body?.cancel();
      return c.body(null, 304, allHeaders);
    }
    // `text()` would warn of media types that do not begin with `text/`.
    const text = new TextDecoder().decode(await file.arrayBuffer());
    return c.body(fillPlaceholders(text, values), status, allHeaders);
  };

  for (const [path, contentType] of [
    ['/openapi.json', 'application/json'],
    ['/openapi.yaml', 'application/yaml'],
    ['/llms.txt', 'text/plain; charset=utf-8'],
  ] as const) {
    app.get(
      path,
      async (c) => (await serveText(c, path, documentHeaders(contentType))) ?? c.notFound(),
    );
  }

  /** A page that does not exist, with the search; as JSON for clients that do not prefer HTML. */
  const showNotFound = async (c: DocsContext) => {
    const supports = ['application/json', 'text/html'];
    const type = accepts(c, { header: 'Accept', supports, default: 'application/json' });
    if (type !== 'text/html') return c.notFound();
    const path = `/docs/not-found.${detectLanguage(c)}.html`;
    const headers = { ...sitePageHeaders, 'Cache-Control': 'private, no-store' };
    return (await serveText(c, path, headers, 404)) ?? c.notFound();
  };

  app.get('/docs', async (c) => {
    const language = detectLanguage(c);
    const headers = {
      ...sitePageHeaders,
      'Content-Language': language,
      'Cache-Control': 'private, max-age=300',
      Vary: 'Accept-Language, Cookie',
    };
    return (await serveText(c, `/docs/${language.toLowerCase()}.html`, headers)) ?? showNotFound(c);
  });

  app.get('/docs/*', async (c) => {
    const { path } = c.req;
    const [, ending] = /^\/docs(?:\/[a-z0-9-]+)+(?:\.(\w+))?$/.exec(path) ?? [path, 'html'];
    const type = ending === undefined ? undefined : documentTypes.get(ending);
    if (ending !== undefined && type === undefined) return showNotFound(c);
    const response = type
      ? await serveText(c, path, documentHeaders(type))
      : await serveText(c, `${path}.html`, {
          ...sitePageHeaders,
          ...(isEnglishOnly(path) && {
            'Cache-Control': 'private, max-age=300',
            Vary: 'Accept-Language, Cookie',
          }),
        });
    if (response) return response;
    const other = pathInstead(path);
    const isThere = other !== undefined && (await fetchFile(c, `${other.split('#')[0]}.html`));
    if (!isThere) return showNotFound(c);
    await isThere.body?.cancel();
    return c.redirect(other, 301);
  });

  mountAssets(app);
}
