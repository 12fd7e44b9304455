import { scrypt } from 'node:crypto';
import { env } from 'cloudflare:workers';
import { toBase64url } from '../../src/base/crypto/base64.ts';
import { randomBytes } from '../../src/base/crypto/random.ts';

/** The password of {@link givePassword}. */
export const testPassword = 'correct horse battery';

/**
 * The hash of {@link testPassword} with low costs, which it names: checking it takes a millisecond.
 */
const cheapHash = new Promise<string>((resolve, reject) => {
  const salt = randomBytes(16);
  scrypt(testPassword, salt, 32, { N: 2, r: 8, p: 1 }, (error, key) => {
    if (error) reject(error);
    else resolve(`$scrypt$ln=1,r=8,p=1$${toBase64url(salt)}$${toBase64url(key)}`);
  });
});

/**
 * Lets a user sign in with {@link testPassword}, without the quarter of a second that a real hash
 * takes.
 */
export async function givePassword(userId: number): Promise<void> {
  await env.DIRECTORY.prepare('insert into passwords (user_id, hash, changed_at) values (?, ?, 0)')
    .bind(userId, await cheapHash)
    .run();
}
