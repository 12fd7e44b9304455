import { runInHashingSlot } from './hashing-slots.ts';
import { hashPassword } from './password.ts';

const minLength = 12;
const maxLength = 256;

/** The fault of a new password: its length, or its repetition. */
export type PasswordFault = 'short' | 'long' | 'differs';

/** Checks a new password of 12 to 256 characters, and its repetition. */
export function findPasswordFault(password: string, repeated: string): PasswordFault | undefined {
  const length = Array.from(password).length;
  if (length < minLength) return 'short';
  if (length > maxLength) return 'long';
  return password === repeated ? undefined : 'differs';
}

/** Hashes a new password; `undefined` while two others are being hashed. */
export const hashNewPassword = async (password: string, now: number): Promise<string | undefined> =>
  (await runInHashingSlot(now, async () => ({ hash: await hashPassword(password) })))?.hash;
