import { sql } from 'drizzle-orm';
import type { Shard } from '../db/open.ts';
import { passwords, users } from '../db/schema/directory.ts';

/**
 * The passwords of the demo, `demo-password-ana` and so on, as hashes made once: hashing takes a quarter of a
 * second each, and everybody knows these words anyway.
 */
export const demoPasswords = [
  {
    email: 'ana@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$D7O-GO1Yp9c94EzbABd_ig$2Iue9kPbv5xOgLgolsv1CHiAlelO8yC16i1buxQHmiE',
  },
  {
    email: 'bruno@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$PXBKwQ0kPrXZKm6piugOfA$qM70zTOsvonAdYCeZlMwLk2qU37zOx5jU7FOVax966U',
  },
  {
    email: 'paula@demo.test',
    hash: '$scrypt$ln=15,r=8,p=3$ud_YwRg_4LcSH7z25MJwjQ$t8AeOcHhuZD3jJJQOS3RZDAQ4T6xZt7Pjz1eE5-DmS8',
  },
] as const;

/** The statement that gives the people of the demo their passwords, unless they have one. */
export function addPasswords(directory: Shard, now: number) {
  const rows = demoPasswords.map(({ email, hash }) => ({
    user_id: sql`(select id from ${users} where email = ${email})`,
    hash,
    changed_at: now,
  }));
  return directory.insert(passwords).values(rows).onConflictDoNothing();
}
