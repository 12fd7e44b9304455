import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { languages, type Language } from '../base/languages.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { pageHeaders } from '../http/page-headers.ts';
import type { BrandProps } from './components/brand-mark.tsx';
import type { LayoutProps } from './components/narrow-layout.tsx';
import { languageParameter } from './language.ts';
import { brandPaths, browserPaths, withQueryParameter } from './paths.ts';

/**
 * Returns a page as a response that is never cached. `formTargets` are other origins that its forms may redirect to:
 * browsers apply `form-action` to the redirect after a form, too.
 */
export function renderPage(
  c: Context<AppEnv>,
  page: JSX.Element,
  {
    status = 200,
    formTargets = [],
    headers = {},
  }: {
    status?: ContentfulStatusCode;
    formTargets?: readonly string[];
    headers?: Record<string, string>;
  } = {},
) {
  return c.html(html`<!doctype html>${page}`, status, {
    ...pageHeaders({ formTargets: ["'self'", ...formTargets] }),
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/**
 * Builds the props of a page in a language. `path` is the target of the switch of the language; no switch without it.
 */
export const buildLayoutProps = (
  c: Context<AppEnv>,
  language: Language,
  path?: string,
): LayoutProps => ({
  language,
  brand: brandProps(settingsOf(c.env)),
  languageHrefs: path === undefined ? undefined : buildLanguageHrefs(path),
});

/** The brand as every page shows it. */
const brandProps = ({ brand }: Pick<Settings, 'brand'>): BrandProps => ({
  name: brand.name,
  homeHref: browserPaths.home,
  styleHref: brand.accent && brandPaths.style,
  logoHref: brand.logo === undefined ? undefined : brandPaths.logo,
  iconHref: brand.favicon === undefined ? undefined : brandPaths.icon,
  supportAddress: brand.supportAddress,
});

const buildLanguageHrefs = (path: string) =>
  // Every language is a key.
  Object.fromEntries(
    languages.map((language) => [language, withQueryParameter(path, languageParameter, language)]),
  ) as Record<Language, string>;
