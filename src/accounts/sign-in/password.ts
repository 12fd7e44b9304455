import { scrypt } from 'node:crypto';
import { costOf } from '../../base/codecs/fields/string-input.ts';
import { fromBase64, toBase64url } from '../../base/crypto/base64.ts';
import { equalInConstantTime } from '../../base/crypto/digest.ts';
import { randomBytes } from '../../base/crypto/random.ts';

/**
 * Costs of a new hash: 32 MiB and about a quarter of a second of CPU (OWASP: N = 2^15, r = 8, p =
 * 3).
 */
const scryptCosts = { ln: 15, r: 8, p: 3 };

/** An isolate has 128 MB and computes one hash at a time. */
const maxMemoryBytes = 48 * 1024 * 1024;

const hashLength = 32;

const hashPattern = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/**
 * The hash of no password, with the costs of a new one. Verifying against it takes as long for an
 * unknown user as for a known one.
 */
export const dummyPasswordHash = `$scrypt$ln=${scryptCosts.ln},r=${scryptCosts.r},p=${scryptCosts.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The fewest and the most characters of a new password. */
const [minPasswordLength, maxPasswordLength] = [12, 256];

/**
 * Returns a password as it is hashed, which is the same for every keyboard (OpaqueString, RFC 8265,
 * section 4.2). All spaces are one, letters are composed, and nothing else is changed. A text that
 * is too long or costly for that stays.
 */
export const preparePassword = (password: string): string =>
  /^[ -~]*$/.test(password) || costOf(password, maxPasswordLength) !== undefined
    ? password
    : password.replace(/\p{Zs}/gu, ' ').normalize('NFC');

/** The fault of a new password: its length, or its repetition. */
export type PasswordFault = 'short' | 'long' | 'differs';

/** Checks a new password of 12 to 256 characters, and its repetition. */
export function findPasswordFault(password: string, repeated: string): PasswordFault | undefined {
  const prepared = preparePassword(password);
  const length = Array.from(prepared).length;
  if (length < minPasswordLength) return 'short';
  if (length > maxPasswordLength) return 'long';
  return prepared === preparePassword(repeated) ? undefined : 'differs';
}

/**
 * Returns what may have been hashed of a password: until November 2026 it was the password as it
 * was typed.
 */
export const hashedForms = (password: string): readonly string[] => [
  ...new Set([preparePassword(password), password]),
];

/** Hashes a password. The result names salt and costs; `passwords.hash` stores it. */
export async function hashPassword(password: string): Promise<string> {
  const salt = toBase64url(randomBytes(16));
  const { ln, r, p } = scryptCosts;
  const hash = await deriveHash(preparePassword(password), salt, scryptCosts);
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt}$${hash}`;
}

/**
 * Whether a form of a password matches a hash. Throws on a text that is not a hash of
 * {@link hashPassword}.
 */
export async function verifyPassword(form: string, hash: string): Promise<boolean> {
  const [, ln, r, p, salt = '', expected = ''] = hashPattern.exec(hash) ?? [];
  if (expected === '') throw new Error('not a password hash');
  const actual = await deriveHash(form, salt, { ln: Number(ln), r: Number(r), p: Number(p) });
  return equalInConstantTime(actual, expected);
}

function deriveHash(
  password: string,
  salt: string,
  { ln, r, p }: typeof scryptCosts,
): Promise<string> {
  const options = { N: 2 ** ln, r, p, maxmem: maxMemoryBytes };
  return new Promise((resolve, reject) => {
    scrypt(password, fromBase64(salt), hashLength, options, (error, key) => {
      if (error) reject(error);
      else resolve(toBase64url(key));
    });
  });
}
