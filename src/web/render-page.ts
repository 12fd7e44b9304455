import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import {
  detectFromCookie,
  detectFromHeader,
  detectFromQuery,
  type DetectorOptions,
} from 'hono/language';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { daySeconds } from '../base/durations.ts';
import { languages, languageOf, type Language } from '../base/languages.ts';
import { brandPaths, browserPaths, withQueryParameter } from '../base/page-paths.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import type { AppEnv } from '../http/app-env.ts';
import { fontHref } from './assets/base-style.ts';
import type { BrandProps } from './components/brand-mark.tsx';
import type { LayoutProps } from './components/narrow-layout.tsx';

/** The query parameter that the language switch of every page sets. */
export const languageParameter = 'lang';

const fallback: Language = 'en';

const options: DetectorOptions = {
  order: ['querystring', 'cookie', 'header'],
  lookupQueryString: languageParameter,
  lookupCookie: '__Host-language',
  lookupFromHeaderKey: 'Accept-Language',
  lookupFromPathIndex: 0,
  caches: false,
  ignoreCase: false,
  supportedLanguages: [...languages],
  fallbackLanguage: fallback,
  convertDetectedLanguage: (tag) => languageOf(tag) ?? '',
};

const oneYearSeconds = 365 * daySeconds;

/** Makes pages of this browser come in a language. */
export const chooseLanguage = (c: Context<AppEnv>, language: string): void =>
  setCookie(c, options.lookupCookie, language, {
    secure: true,
    path: '/',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: oneYearSeconds,
  });

/** Finds the language of a page, and lets a cookie remember that of the query parameter. */
export function detectLanguage(c: Context<AppEnv>, stored?: Language | null): Language {
  const chosen = detectFromQuery(c, options);
  if (chosen) chooseLanguage(c, chosen);
  return findLanguage(c, stored);
}

/**
 * Finds the language of a page: the query parameter, the cookie, what an app or the browser asks
 * for. Else it is the one that the user last read (`stored`), or English. An app asks by
 * `ui_locales` (OpenID Connect Core, section 3.1.2.1), a browser by `Accept-Language` (RFC 9110,
 * section 12.5.4).
 */
export function findLanguage(c: Context<AppEnv>, stored?: Language | null): Language {
  const detected =
    detectFromQuery(c, options) ??
    detectFromCookie(c, options) ??
    c.req.query('ui_locales')?.split(' ').map(languageOf).find(Boolean) ??
    detectFromHeader(c, options) ??
    stored;
  return languages.find((language) => language === detected) ?? fallback;
}

/**
 * Returns a page as a response that is never cached. `formTargets` are other origins that its forms
 * may redirect to: browsers apply `form-action` to the redirect after a form, too.
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
 * Builds the props of a page in a language. `path` is the target of the switch of the language; no
 * switch without it.
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

/** The rights of a page beyond showing itself. */
interface PageRights {
  /** The allowed targets of its forms, including redirects that follow. */
  formTargets?: readonly string[];
  /** Further directives of the Content Security Policy, which replace those of the same name. */
  directives?: Readonly<Record<string, string>>;
}

/** Headers of every HTML page: they forbid other hosts, inline code, frames and referrers. */
export const pageHeaders = ({ formTargets = [], directives = {} }: PageRights = {}) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': Object.entries({
    'default-src': "'none'",
    'style-src': "'self'",
    'script-src': "'self'",
    // The logo, the icon and the font are files of this service.
    'img-src': "'self' data:",
    'font-src': "'self'",
    'base-uri': "'none'",
    'form-action': formTargets.length > 0 ? formTargets.join(' ') : "'none'",
    'frame-ancestors': "'none'",
    ...directives,
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; '),
  // Loaded beside the style that names it.
  Link: `<${fontHref}>; rel=preload; as=font; type="font/woff2"; crossorigin`,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
});
