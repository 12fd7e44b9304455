import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import {
  detectFromCookie,
  detectFromHeader,
  detectFromQuery,
  type DetectorOptions,
} from 'hono/language';
import type { Faces } from '../http/faces.ts';
import { languages, type Language } from '../pages/words/languages.ts';

/** The parameter of the switch on every page. */
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
  // There is one Portuguese, whichever is asked for.
  convertDetectedLanguage: (language) => (/^pt\b/i.test(language) ? 'pt-BR' : language),
};

const oneYear = 365 * 24 * 60 * 60;

/**
 * The language of a page: what the switch says (and then remembers in a cookie), what it said before, what the
 * browser prefers (RFC 9110, section 12.5.4), else English.
 */
export function languageOf(c: Context<Faces>): Language {
  const chosen = detectFromQuery(c, options);
  if (chosen) {
    setCookie(c, options.lookupCookie, chosen, {
      secure: true,
      path: '/',
      httpOnly: true,
      sameSite: 'Lax',
      maxAge: oneYear,
    });
  }
  const found = chosen ?? detectFromCookie(c, options) ?? detectFromHeader(c, options);
  return languages.find((language) => language === found) ?? fallback;
}
