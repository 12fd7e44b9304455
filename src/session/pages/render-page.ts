import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { SessionUser } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { pageHeaders } from '../../http/headers/page-headers.ts';
import { languages, type Language } from '../../pages/i18n/languages.ts';
import type { BrandProps } from '../../pages/layout/brand.tsx';
import type { DashboardProps } from '../../pages/layout/dashboard-layout.tsx';
import type { LayoutProps } from '../../pages/layout/narrow-layout.tsx';
import { settingsOf, type Settings } from '../../settings.ts';
import { detectLanguage, languageParameter } from './language.ts';
import { buildNavigation, type NavigationName } from './navigation.ts';
import type { PageContext } from './page-context.ts';
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
 * Builds the props of a page with one column. `path` is the address of the page, for the language switch; `user` is who is
 * signed in.
 */
export function buildNarrowLayoutProps(
  c: Context<AppEnv>,
  path?: string,
  user?: Pick<SessionUser, 'language'>,
): LayoutProps {
  const languageHrefs = path === undefined ? undefined : buildLanguageHrefs(path);
  return {
    language: detectLanguage(c, user?.language),
    brand: brandProps(settingsOf(c.env)),
    languageHrefs,
  };
}

/** What every page shows of the brand. */
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

/**
 * Builds the props of a page with the navigation. `path` is the address of the page, `current` the part of the pages that
 * it belongs to.
 */
export function buildDashboardLayoutProps(
  c: Context<AppEnv>,
  context: Pick<PageContext, 'session' | 'store'>,
  current: NavigationName,
  path: string,
): DashboardProps {
  const layout = buildNarrowLayoutProps(c, path, context.session.user);
  return { layout, ...buildNavigation(context, layout, current) };
}
