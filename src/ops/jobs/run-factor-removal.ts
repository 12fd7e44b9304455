import { sql, type SQL } from 'drizzle-orm';
import { settingsOf } from '../../base/settings.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import type { JobOutcome, JobRun } from '../../data/directory/job.ts';
import { factorSince } from '../../data/directory/second-factor.ts';
import {
  passkeys,
  recoveryCodes,
  rememberedDevices,
  secondFactors,
  sessions,
} from '../../data/schema/directory/credentials-tables.ts';
import { users } from '../../data/schema/directory/directory-tables.ts';
import { forgetUser } from '../../http/access/forget-user.ts';
import { insertMailToUser, prepareMail } from '../../mail/outbox.ts';

/**
 * Removes the second factor of a user, in the batch that ends the job. The app, passkeys, codes and
 * all sessions go, and the user gets a mail. A factor that the user has set up after the request
 * stays, and that of an operator.
 */
export async function runFactorRemoval({ env, job, now }: JobRun): Promise<JobOutcome> {
  const directory = openDatabase(env.DIRECTORY);
  const userId = job.user_id ?? 0;
  const requestedAt = job.created_at;
  const isNoOperator = sql`exists (select 1 from ${users} where id = ${userId} and super_user = 0)`;
  const isOld = sql`(${isNoOperator} and ${factorSince(userId)} <= ${requestedAt})`;
  const run = (text: SQL) => rawDatabaseStatement(directory, text);
  const [[found]] = await directory.batch([
    rawDatabaseStatement<{ factors: number }>(directory, sql`select ${isOld} as factors`),
  ]);
  const data = { change: 'removed' } as const;
  const mail = await prepareMail(settingsOf(env), {
    kind: 'second_factor_changed',
    data,
  });
  const line = {
    at: now(),
    actor: { kind: 'system', id: 'job', name: '', userId: null },
    from: { country: null, network: null },
    action: 'user.second_factor_removed',
    target: { kind: 'user', id: userId },
    ...(job.reason !== null && { reason: job.reason }),
  } as const;
  return {
    state: 'done',
    result: { counts: { second_factors: found?.factors ?? 0 } },
    notify(where) {
      const isRemoved = sql`${isOld} and ${where}`;
      return [
        auditStatement(directory, line, isRemoved),
        insertMailToUser(directory, mail, userId, now(), isRemoved),
        run(sql`delete from ${sessions} where user_id = ${userId} and ${isRemoved}`),
        run(sql`delete from ${rememberedDevices} where user_id = ${userId} and ${isRemoved}`),
        run(sql`delete from ${recoveryCodes}
          where user_id = ${userId} and created_at <= ${requestedAt} and ${isRemoved}`),
        run(sql`update ${users} set updated_at = ${now()}, mfa_enabled =
            exists (select 1 from ${secondFactors} where user_id = ${userId} and created_at > ${requestedAt})
            or exists (select 1 from ${passkeys} where user_id = ${userId} and created_at > ${requestedAt})
          where id = ${userId} and ${isRemoved}`),
        // Last: the others require that an old one is there.
        ...[passkeys, secondFactors].map((factors) =>
          run(sql`delete from ${factors} where user_id = ${userId} and created_at <= ${requestedAt}
            and ${isNoOperator} and ${where}`),
        ),
      ];
    },
    afterwards: () => {
      forgetUser(userId);
      return Promise.resolve();
    },
  };
}
