import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '../http/app-env.ts';
import { pageHeaders } from '../http/headers/page-headers.ts';
import { languages, type Language } from '../pages/i18n/languages.ts';
import { messagesFor } from '../pages/i18n/messages.ts';
import type { DashboardProps } from '../pages/layout/dashboard-layout.tsx';
import type { LayoutProps } from '../pages/layout/narrow-layout.tsx';
import { settingsOf } from '../settings.ts';
import { detectLanguage, languageParameter } from './language.ts';
import { browserPaths, withQueryParameter } from './paths.ts';

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

/** Builds the props of a page with one column. `path` is the address of the page, for the language switch. */
export function buildNarrowLayoutProps(c: Context<AppEnv>, path?: string): LayoutProps {
  const { serviceName } = settingsOf(c.env);
  const languageHrefs = path === undefined ? undefined : buildLanguageHrefs(path);
  return { language: detectLanguage(c), serviceName, languageHrefs };
}

const buildLanguageHrefs = (path: string) =>
  // Every language is a key.
  Object.fromEntries(
    languages.map((language) => [language, withQueryParameter(path, languageParameter, language)]),
  ) as Record<Language, string>;

const navigationLinks = [
  ['account', browserPaths.account],
  ['apps', browserPaths.connectedApps],
  ['webhooks', browserPaths.webhooks],
  ['keys', browserPaths.keys],
  ['partners', browserPaths.partners],
] as const;

/**
 * Builds the props of a page with the navigation. `path` is the address of the page, `current` the link that it
 * belongs to.
 */
export function buildDashboardLayoutProps(
  c: Context<AppEnv>,
  current: (typeof navigationLinks)[number][0],
  path: string,
): DashboardProps {
  const layout = buildNarrowLayoutProps(c, path);
  const labels = messagesFor(layout.language).account.navigation;
  return {
    layout,
    navigation: navigationLinks.map(([name, href]) => ({
      href,
      text: labels[name],
      isCurrent: name === current,
    })),
  };
}
