import { SecretMode } from '../db/schema/webhooks.ts';
import type { Shift } from './sweep-shift.ts';

// As `rotationAt` reads them: an overlap that was over long ago leaves nothing of the old secret either.
const ended = `from webhook_endpoints where secret_previous_until <= ?1`;

const commitSql = `
  update webhook_endpoints set secret_mode = ${SecretMode.committed},
    secret_previous_until = secret_previous_until + secret_overlap_ms
  where id in (select id ${ended}) and secret_mode = ${SecretMode.overlap}`;

const expireSql = `
  update webhook_endpoints set secret_mode = ${SecretMode.single}, secret_previous = null,
    secret_previous_until = null
  where id in (select id ${ended}) and secret_mode <> ${SecretMode.overlap}`;

/** Commits rotations whose overlap has ended, and forgets secrets that were replaced. Answers with how many. */
export async function expireSecrets({ db, now }: Shift): Promise<number> {
  const at = now();
  const results = await db.batch([db.prepare(commitSql).bind(at), db.prepare(expireSql).bind(at)]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
