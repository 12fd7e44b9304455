import { movingLease, SecretMode } from '../../db/schema/store/webhooks.ts';
import type { SweepContext } from '../../sweep-task.ts';

// The same rule as `rotationAt`: an overlap that ended long ago is committed and expired in one run.
const ended = `from webhook_endpoints where secret_previous_until <= ?1 and lease_until < ${movingLease}`;

const commitSql = `
  update webhook_endpoints set secret_mode = ${SecretMode.committed},
    secret_previous_until = secret_previous_until + secret_overlap_ms
  where id in (select id ${ended}) and secret_mode = ${SecretMode.overlap}`;

const expireSql = `
  update webhook_endpoints set secret_mode = ${SecretMode.single}, secret_previous = null,
    secret_previous_until = null
  where id in (select id ${ended}) and secret_mode <> ${SecretMode.overlap}`;

/** Commits rotations whose overlap has ended, and deletes replaced secrets. Returns the number of endpoints changed. */
export async function expireSecrets({ db, now }: SweepContext): Promise<number> {
  const at = now();
  const results = await db.batch([db.prepare(commitSql).bind(at), db.prepare(expireSql).bind(at)]);
  return results.reduce((sum, { meta }) => sum + meta.changes, 0);
}
