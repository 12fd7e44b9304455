import { scrypt } from 'node:crypto';
import { fromBase64, toBase64url } from '../crypto/base64.ts';
import { equalInConstantTime } from '../crypto/equal.ts';
import { randomBytes } from '../crypto/random.ts';

/** What a new hash costs: 32 MiB and about a quarter of a second of CPU (OWASP: N = 2^15, r = 8, p = 3). */
const costs = { ln: 15, r: 8, p: 3 };

/** An isolate has 128 MB; hashes are made one after another, so one of them may take this much, in bytes. */
const maxmem = 48 * 1024 * 1024;

const hashLength = 32;

const encoding = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/**
 * A hash of no password, with the costs of a new one: checking against it takes as long for a user who does not
 * exist as for one who does.
 */
export const nobodysHash = `$scrypt$ln=${costs.ln},r=${costs.r},p=${costs.p}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

/** The hash of a password with its salt and costs, as `passwords.hash` keeps it. The password counts byte for byte. */
export async function hashPassword(password: string): Promise<string> {
  const salt = toBase64url(randomBytes(16));
  const { ln, r, p } = costs;
  return `$scrypt$ln=${ln},r=${r},p=${p}$${salt}$${await derived(password, salt, costs)}`;
}

/** Whether a password is the one that was hashed. Throws on a text that is no hash of `hashPassword`. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [, ln, r, p, salt = '', expected = ''] = encoding.exec(hash) ?? [];
  if (expected === '') throw new Error('not a password hash');
  const made = await derived(password, salt, { ln: Number(ln), r: Number(r), p: Number(p) });
  return equalInConstantTime(made, expected);
}

function derived(password: string, salt: string, { ln, r, p }: typeof costs): Promise<string> {
  const options = { N: 2 ** ln, r, p, maxmem };
  return new Promise((resolve, reject) => {
    scrypt(password, fromBase64(salt), hashLength, options, (error, key) => {
      if (error) reject(error);
      else resolve(toBase64url(key));
    });
  });
}
