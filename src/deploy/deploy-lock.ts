import { sql } from 'drizzle-orm';
import * as z from 'zod';
import { hourMs } from '../base/durations.ts';
import { toSqlText } from '../data/core/raw.ts';
import { isLeasable, leases, release } from '../data/queues.ts';
import { queryDatabase } from './account.ts';
import { PlatformError } from './cloudflare-api.ts';
import type { DeployRun } from './run.ts';

/** A deployment that died has lost its turn after this time. */
const leaseMs = hourMs;

/** The time of the database, so that clocks of two machines do not matter. */
const nowSql = 'unixepoch() * 1000';

const takeSql = (holder: string) =>
  `insert into deploy_turns (id, until, holder) values (1, ${nowSql} + ${leaseMs}, '${holder}') ` +
  'on conflict do update set until = excluded.until, holder = excluded.holder ' +
  `where ${toSqlText(isLeasable(leases.deployments, sql.raw(nowSql)))} or holder = '${holder}' returning holder`;

const heldTurn = z.object({ holder: z.string(), until: z.number() });

/**
 * Takes the turn. Throws if another run has it. `prepare` makes the table, which a new directory
 * lacks.
 */
export async function takeTurn(run: DeployRun, prepare: () => Promise<void>): Promise<void> {
  const { turn, deployment } = run;
  const take = () => queryDatabase(run, 'DIRECTORY', takeSql(turn.holder));
  const until = Date.now() + leaseMs;
  const taken = await take().catch(async (error: unknown) => {
    if (!(error instanceof PlatformError && error.message.includes('no such table'))) throw error;
    await prepare();
    return await take();
  });
  if (taken.length > 0) {
    turn.until = until;
    return;
  }
  const [held] = await queryDatabase(run, 'DIRECTORY', 'select holder, until from deploy_turns');
  const other = heldTurn.parse(held);
  throw new Error(
    `${other.holder} deploys, and has the turn until ${new Date(other.until).toISOString()} at the latest. Wait for ` +
      `it; if it is dead:\nnpx wrangler d1 execute ${deployment.name}-directory --remote --command "update deploy_turns set until = 0"`,
  );
}

/** Throws when the turn has ended, since another run may have it now. */
export function assertTurn({ turn }: DeployRun): void {
  if (turn.until !== undefined && Date.now() >= turn.until) {
    throw new Error('The turn of this deployment has ended after an hour.');
  }
}

/**
 * Gives the turn back, if this run has it. Tries twice, and never rejects: the lease ends by
 * itself.
 */
export async function giveTurnBack(run: DeployRun): Promise<void> {
  if (!('DIRECTORY' in run.ids.databases)) return;
  delete run.turn.until;
  const text = `update deploy_turns set ${toSqlText(release(leases.deployments))} where holder = '${run.turn.holder}'`;
  const give = () => queryDatabase(run, 'DIRECTORY', text);
  await give()
    .catch(give)
    .catch(() => undefined);
}
