import { eq, sql } from 'drizzle-orm';
import type { Shard } from './open.ts';
import { signInFailures } from './schema/directory.ts';
import type { AttemptKeys } from './sign-in.ts';

/** Takes back what an attempt was counted as, once its password turned out to be right. Two statements. */
export function takingBack(
  directory: Shard,
  { keys, blockedUntil }: { keys: AttemptKeys; blockedUntil: number },
) {
  return [
    directory.delete(signInFailures).where(eq(signInFailures.key, keys.account)),
    directory
      .update(signInFailures)
      .set({
        failures: sql`failures - 1`,
        blocked_until: sql`case when blocked_until = ${blockedUntil} then 0 else blocked_until end`,
      })
      .where(eq(signInFailures.key, keys.network)),
  ] as const;
}
