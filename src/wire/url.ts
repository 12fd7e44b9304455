import * as z from 'zod';
import { codePoints } from './clean.ts';
import { expected, refuse, written } from './sentences.ts';

const MAX_LENGTH = 2048;
// URL parsers repair or drop these silently, so the stored text would not be what is fetched.
const REPAIRED = /[\s\p{Cc}\\<>"]/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/** Absolute http or https URL (`https: true`: https alone) without user name, stored as sent. */
export function url({ https = false } = {}) {
  const sentence = `Must be an absolute ${https ? 'https' : 'http or https'} URL.`;
  return z
    .string({ error: expected(sentence) })
    .meta({ format: 'uri', maxLength: MAX_LENGTH })
    .transform((value, context) => {
      if (codePoints(value) > MAX_LENGTH) {
        return refuse(context, `Must be at most ${written(MAX_LENGTH)} characters.`);
      }
      return isAbsolute(value, https) ? value : refuse(context, sentence);
    });
}

function isAbsolute(value: string, https: boolean): boolean {
  const authority = AUTHORITY.exec(value)?.[1];
  if (authority === undefined || authority.includes('@')) return false;
  if (REPAIRED.test(value) || !value.isWellFormed() || !URL.canParse(value)) return false;
  return !https || new URL(value).protocol === 'https:';
}
