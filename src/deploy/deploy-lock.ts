import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { hourMs } from '../base/durations.ts';
import { toSqlText } from '../data/core/raw.ts';
import { isLeasable, leases, release } from '../data/queues.ts';
import { queryDatabase } from './account.ts';
import { PlatformError } from './cloudflare-api.ts';
import type { DeployRun } from './run.ts';

/** A deployment that died has lost its lock after this time. */
const leaseMs = hourMs;

/** The time of the database, so that clocks of two machines do not matter. */
const nowSql = 'unixepoch() * 1000';

const takeSql = (holder: string) =>
  `insert into deploy_locks (id, until, holder) values (1, ${nowSql} + ${leaseMs}, '${holder}') ` +
  'on conflict do update set until = excluded.until, holder = excluded.holder ' +
  `where ${toSqlText(isLeasable(leases.deployments, sql.raw(nowSql)))} or holder = '${holder}' returning holder`;

const heldLock = z.object({ holder: z.string(), until: z.number() });

/**
 * Takes the lock. Throws if another run has it. `prepare` makes the table, which a new directory
 * lacks.
 */
export async function takeLock(run: DeployRun, prepare: () => Promise<void>): Promise<void> {
  const { lock, deployment } = run;
  const take = () => queryDatabase(run, 'DIRECTORY', takeSql(lock.holder));
  const until = Date.now() + leaseMs;
  const taken = await take().catch(async (error: unknown) => {
    if (!(error instanceof PlatformError && error.message.includes('no such table'))) throw error;
    await prepare();
    return await take();
  });
  if (taken.length > 0) {
    lock.until = until;
    return;
  }
  const [held] = await queryDatabase(run, 'DIRECTORY', 'select holder, until from deploy_locks');
  const other = heldLock.parse(held);
  throw new Error(
    `${other.holder} deploys, and has the lock until ${new Date(other.until).toISOString()} at the latest. Wait for ` +
      `it; if it is dead:\nnpx wrangler d1 execute ${deployment.name}-directory --remote --command "update deploy_locks set until = 0"`,
  );
}

/** Throws when the lock has ended, since another run may have it now. */
export function assertLock({ lock }: DeployRun): void {
  if (lock.until !== undefined && Date.now() >= lock.until) {
    throw new Error('The lock of this deployment has ended after an hour.');
  }
}

/**
 * Gives the lock back, if this run has it. Tries twice, and never rejects: the lease ends by
 * itself.
 */
export async function giveLockBack(run: DeployRun): Promise<void> {
  if (!('DIRECTORY' in run.ids.databases)) return;
  delete run.lock.until;
  const text = `update deploy_locks set ${toSqlText(release(leases.deployments))} where holder = '${run.lock.holder}'`;
  const give = () => queryDatabase(run, 'DIRECTORY', text);
  await give()
    .catch(give)
    .catch(() => undefined);
}
