import * as z from 'zod';
import { readHost } from '../../hosts.ts';
import { addIssue, formatNoteKey } from '../field-messages.ts';
import { cleanLine, codePoints, foldText } from './normalize-text.ts';
import { stringInput, textRules, tooLong } from './string-input.ts';
import { cleanedCode, textMatching } from './text.ts';

const atom = "[\\w!#$%&'*+/=?^`{|}~-]+";
const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/**
 * A dot-atom (RFC 5322, section 3.4.1) of at most 64 characters, and a host name with a dot. No
 * quoted names.
 */
const addressPattern = new RegExp(
  `^(?=.{1,64}@)${atom}(?:\\.${atom})*@${label}(?:\\.${label})+$`,
  'i',
);

const emailMessage = 'Must be an e-mail address.';
const maxEmailLength = 254;

/**
 * Request field: one e-mail address of at most 254 characters. Case is kept. A host name with other
 * letters is stored in ASCII (IDNA, UTS 46); a name before `@` has none.
 */
export const email = cleanedCode(
  { format: 'email', maxLength: maxEmailLength },
  (value, context) => {
    const at = value.lastIndexOf('@') + 1;
    const address = isAscii(value) ? value : value.slice(0, at) + toAscii(value.slice(at));
    const valid = address.length <= maxEmailLength && addressPattern.test(address);
    return valid ? address : addIssue(context, emailMessage);
  },
  emailMessage,
);

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);

/**
 * Converts a host with other letters than ASCII. The parser of URLs lets hyphens and dots at the
 * ends of labels pass.
 */
const toAscii = (host: string): string =>
  isAscii(host) || /(?:^|[.\u3002])-|[-.\u3002](?:[.\u3002]|$)/.test(host)
    ? host
    : (readHost(host) ?? host);

const maxUrlLength = 2048;
// URL parsers drop or repair these silently, so the stored URL would differ from the requested one.
const repairedPattern = /[\s\p{Cc}\\<>"]/u;
const authorityPattern = /^https?:\/\/([^/?#]+)/i;

/**
 * Request field: absolute http or https URL (only https if set) without user name. Stored as sent.
 */
export function url({ https = false } = {}) {
  const message = `Must be an absolute ${https ? 'https' : 'http or https'} URL.`;
  return stringInput(message, maxUrlLength)
    .meta({ format: 'uri', maxLength: maxUrlLength })
    .register(textRules, { rule: 'raw' })
    .transform((value, context) => {
      if (codePoints(value) > maxUrlLength) return addIssue(context, tooLong(maxUrlLength));
      return isAbsoluteUrl(value, https) ? value : addIssue(context, message);
    });
}

function isAbsoluteUrl(value: string, https: boolean): boolean {
  const authority = authorityPattern.exec(value)?.[1];
  if (authority === undefined || authority.includes('@')) return false;
  if (repairedPattern.test(value) || !value.isWellFormed() || !URL.canParse(value)) return false;
  return !https || new URL(value).protocol === 'https:';
}

const HostSchema = z.union([z.hostname().max(253), z.ipv4(), z.ipv6()]);

/** Request field: a host name or an IP address of at most 253 characters. */
export const host = cleanedCode(
  { minLength: 1, maxLength: 253, examples: ['smtp.example.com'] },
  (value, context) =>
    HostSchema.safeParse(toAscii(value)).data ??
    addIssue(context, 'Must be a host name or an IP address.'),
);

/** Converts a text to `[a-z0-9]+(-[a-z0-9]+)*`; `''` if it has no usable characters. */
export function slugify(text: string): string {
  const folded = foldText(text.replace(/[°™℠]/g, ' '));
  return folded.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

const noSlugMessage = 'Must have letters from a to z or digits, such as blue-t-shirt.';

/**
 * Request field: a slug. `undefined` if absent, null or empty; the caller then derives it from the
 * name.
 */
export function slug(max: number) {
  const shape = { [formatNoteKey]: 'Converted to lower-case letters, digits and single hyphens.' };
  const input = stringInput('Must be text.', max).meta(shape).register(textRules, { rule: 'code' });
  return input.nullish().transform((value, context) => {
    const text = cleanLine(value ?? '') ?? '';
    if (text === '') return undefined;
    const slugified = slugify(text);
    if (slugified.length > max) return addIssue(context, tooLong(max));
    return slugified || addIssue(context, noSlugMessage);
  });
}

const colourMessage = 'Must be a colour such as #1A2B3C.';

/** Request field: `#RGB` or `#RRGGBB`. Stored as sent. */
export const colour = stringInput(colourMessage, 7)
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, colourMessage)
  .register(textRules, { rule: 'raw' });

const phoneMessage = 'Must be a phone number of 8 to 15 digits.';

/** Request field: a phone number. Stored as digits, with a leading plus sign if sent. */
export const phone = cleanedCode({ examples: ['+55 11 91234-5678'] }, (value, context) => {
  const digits = value.replace(/[\s().-]/g, '');
  return /^\+?\d{8,15}$/.test(digits) ? digits : addIssue(context, phoneMessage);
});

/**
 * Request field: a truncated card number, at most the first six and last four digits. Rejects full
 * numbers.
 */
export const truncatedCard = textMatching(
  /\d{0,6}[*xX]{1,12}\d{0,4}|\d{4}/,
  'Must be at most the first six and the last four digits, with * for the others.',
);
