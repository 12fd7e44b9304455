import { sha256 } from '../../base/crypto/digest.ts';
import { randomBytes } from '../../base/crypto/random.ts';

/** Without letters and digits that look alike. 32 of them, so that a byte chooses one evenly. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz023456789';
const codeLength = 16;
const codeCount = 10;

/** Creates ten codes of 80 bits, such as `k7m2-q9xw-h4td-pz3e`. */
export const makeRecoveryCodes = (): string[] =>
  Array.from({ length: codeCount }, () => {
    const letters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % 32]).join('');
    return letters.replace(/(.{4})(?=.)/g, '$1-');
  });

/**
 * The digest of a code as the database keeps it, however it was typed; `undefined` for a text that cannot be a code.
 */
export async function digestRecoveryCode(
  userId: number,
  typed: string,
): Promise<string | undefined> {
  const letters = typed.toLowerCase().replace(/[\s-]/g, '');
  return /^[a-z0-9]{16}$/.test(letters) ? sha256(`recovery-code:${userId}:${letters}`) : undefined;
}
