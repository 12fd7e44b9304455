import * as z from 'zod';
import { messageOrRequired, addIssue, formatNumber } from '../messages.ts';
import { codePoints } from './normalize-text.ts';
import { cleanedLine, textMatching } from './text.ts';

// The syntax of HTML's e-mail input, with a dot in the domain. Stricter than RFC 5321.
const ADDRESS =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i;

/** Request field: one e-mail address of at most 254 characters. Case is kept. */
export const email = z
  .string({ error: messageOrRequired('Must be an e-mail address.') })
  .meta({ format: 'email', maxLength: 254 })
  .transform((value, context) => {
    const address = value.trim();
    const valid = address.length <= 254 && ADDRESS.test(address);
    return valid ? address : addIssue(context, 'Must be an e-mail address.');
  });

const MAX_URL_LENGTH = 2048;
// URL parsers drop or repair these silently, so the stored URL would differ from the requested one.
const REPAIRED = /[\s\p{Cc}\\<>"]/u;
const AUTHORITY = /^https?:\/\/([^/?#]+)/i;

/** Request field: absolute http or https URL (only https if set) without user name. Stored as sent. */
export function url({ https = false } = {}) {
  const message = `Must be an absolute ${https ? 'https' : 'http or https'} URL.`;
  return z
    .string({ error: messageOrRequired(message) })
    .meta({ format: 'uri', maxLength: MAX_URL_LENGTH })
    .transform((value, context) => {
      if (codePoints(value) > MAX_URL_LENGTH) {
        return addIssue(context, `Must be at most ${formatNumber(MAX_URL_LENGTH)} characters.`);
      }
      return isAbsoluteUrl(value, https) ? value : addIssue(context, message);
    });
}

function isAbsoluteUrl(value: string, https: boolean): boolean {
  const authority = AUTHORITY.exec(value)?.[1];
  if (authority === undefined || authority.includes('@')) return false;
  if (REPAIRED.test(value) || !value.isWellFormed() || !URL.canParse(value)) return false;
  return !https || new URL(value).protocol === 'https:';
}

const HostSchema = z.union([z.hostname().max(253), z.ipv4(), z.ipv6()]);

/** Request field: a host name or an IP address of at most 253 characters. */
export const host = cleanedLine(
  { minLength: 1, maxLength: 253, examples: ['smtp.example.com'] },
  (value, context) =>
    HostSchema.safeParse(value).success
      ? value
      : addIssue(context, 'Must be a host name or an IP address.'),
);

/** Converts a text to `[a-z0-9]+(-[a-z0-9]+)*`; `''` if it has no usable characters. */
export function slugify(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/** Request field: a slug. `undefined` if absent, null or empty; the caller then makes it from the name. */
export function slug(max: number) {
  const input = z
    .string({ error: messageOrRequired('Must be text.') })
    .meta({ description: 'Converted to lower-case letters, digits and single hyphens.' });
  return input.nullish().transform((value, context) => {
    const slugified = slugify(value ?? '');
    if (codePoints(slugified) > max) {
      return addIssue(context, `Must be at most ${formatNumber(max)} characters.`);
    }
    return slugified === '' ? undefined : slugified;
  });
}

const COLOUR_MESSAGE = 'Must be a colour such as #1A2B3C.';

/** Request field: `#RGB` or `#RRGGBB`. Stored as sent. */
export const colour = z
  .string({ error: messageOrRequired(COLOUR_MESSAGE) })
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, COLOUR_MESSAGE);

const PHONE_MESSAGE = 'Must be a phone number of 8 to 15 digits.';

/** Request field: a phone number. Stored as digits, with a leading plus sign if sent. */
export const phone = cleanedLine({ examples: ['+55 11 91234-5678'] }, (value, context) => {
  const digits = value.replace(/[\s().-]/g, '');
  return /^\+?\d{8,15}$/.test(digits) ? digits : addIssue(context, PHONE_MESSAGE);
});

/** Request field: a truncated card number, at most the first six and last four digits. Rejects full numbers. */
export const truncatedCard = textMatching(
  /\d{0,6}[*xX]{1,12}\d{0,4}|\d{4}/,
  'Must be at most the first six and the last four digits, with * for the others.',
);
