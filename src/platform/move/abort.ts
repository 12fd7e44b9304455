import { DepartureState } from '../../db/schema/store/moves.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { movingLease } from '../../db/schema/store/webhooks.ts';
import { log } from '../../log.ts';
import { assertion, assertState, type Departure, type Move, type Progress } from './departure.ts';
import { deleteArrival } from './orphans.ts';

/** The statements that let the store stay. The first of them requires a state in which that is possible. */
export const abortStatements = (
  source: D1Database,
  { store_id, move_id }: Pick<Departure, 'store_id' | 'move_id'>,
  reason: string,
  now: number,
) => [
  assertion(
    source,
    `exists (select 1 from departures where store_id = ? and move_id = ? and state <= ${DepartureState.verifying})`,
    store_id,
    move_id,
  ),
  source
    .prepare(
      `update residents set state = ${ResidentState.here}, to_shard = null where store_id = ?`,
    )
    .bind(store_id),
  source
    .prepare(
      `update webhook_endpoints set lease_until = 0 where store_id = ? and lease_until = ${movingLease}`,
    )
    .bind(store_id),
  source.prepare('update timer_bounds set due_at = 0'),
  source
    .prepare('update departures set state = ?, reason = ?, since = ? where store_id = ?')
    .bind(DepartureState.aborting, reason, now, store_id),
];

export async function abort(move: Move, reason: string): Promise<void> {
  await move.source.batch(abortStatements(move.source, move, reason, move.context.now()));
  move.reason = reason;
}

/** Deletes the copies of an aborted move. */
export async function withdraw(move: Move): Promise<Progress> {
  const { source, target, context, store_id, to_shard, reason } = move;
  if (!(await deleteArrival(target, move, context.hasTime))) return 'wait';
  await source.batch([
    assertState(move, DepartureState.aborting),
    source.prepare('delete from departures where store_id = ?').bind(store_id),
  ]);
  log('error', 'store_move_aborted', {
    alert: true,
    store: store_id,
    shard: context.shard,
    to_shard,
    reason,
  });
  return 'wait';
}
