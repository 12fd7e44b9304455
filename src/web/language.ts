import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import {
  detectFromCookie,
  detectFromHeader,
  detectFromQuery,
  type DetectorOptions,
} from 'hono/language';
import { languages, type Language } from '../base/languages.ts';
import type { AppEnv } from '../http/app-env.ts';

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
  ignoreCase: true,
  supportedLanguages: [...languages],
  fallbackLanguage: fallback,
  // Every kind of Portuguese maps to the only one that there is.
  convertDetectedLanguage: (language) => (/^pt\b/i.test(language) ? 'pt-BR' : language),
};

const oneYearSeconds = 365 * 24 * 60 * 60;

/**
 * Detects the language of a page: the query parameter (which a cookie then remembers), the cookie, the language that the
 * user has `stored`, `Accept-Language` (RFC 9110, section 12.5.4), else English.
 */
export function detectLanguage(c: Context<AppEnv>, stored?: Language | null): Language {
  const chosen = detectFromQuery(c, options);
  if (chosen) {
    setCookie(c, options.lookupCookie, chosen, {
      secure: true,
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: oneYearSeconds,
    });
  }
  const detected = chosen ?? detectFromCookie(c, options) ?? stored ?? detectFromHeader(c, options);
  return languages.find((language) => language === detected) ?? fallback;
}
