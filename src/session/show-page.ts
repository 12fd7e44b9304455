import type { Context } from 'hono';
import { html } from 'hono/html';
import type { JSX } from 'hono/jsx/jsx-runtime';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Faces } from '../http/faces.ts';
import { pageHeaders } from '../http/page-headers.ts';
import type { FrameProps } from '../pages/frame.tsx';
import { languages, type Language } from '../pages/words/languages.ts';
import { settingsOf } from '../settings.ts';
import { languageOf, languageParameter } from './language.ts';
import { withParameter } from './with-parameter.ts';

/**
 * Answers with a page that nobody keeps. `formTargets`: origins that its forms may lead to besides ours, since
 * browsers hold the redirect after a form to `form-action` as well.
 */
export function showPage(
  c: Context<Faces>,
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
    ...pageHeaders(["'self'", ...formTargets]),
    'Cache-Control': 'no-store',
    ...headers,
  });
}

/** What a page in one column is given; `path` is where it can be asked for again. */
export function frameOf(c: Context<Faces>, path?: string): FrameProps {
  const hrefs =
    path === undefined
      ? undefined
      : // Every language is a key.
        (Object.fromEntries(
          languages.map((language) => [language, withParameter(path, languageParameter, language)]),
        ) as Record<Language, string>);
  return { language: languageOf(c), serviceName: settingsOf(c.env).serviceName, hrefs };
}
