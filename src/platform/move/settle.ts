import { DepartureState } from '../../db/schema/store/moves.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { movingLease } from '../../db/schema/store/webhooks.ts';
import { log } from '../../log.ts';
import { deleteRows, keptTables } from './clean.ts';
import { assertion, assertState, beginState, type Move, type Progress } from './departure.ts';

/** The old data of a store that has moved stay for this time. */
const keepMs = 30 * 24 * 60 * 60_000;

/**
 * What a shard has done for all its stores, and must do again for one that comes: find the earliest timer, seal secrets
 * with the present key, and end the grants of withdrawn apps.
 */
const newResidentStatements = (target: D1Database, withdrawnTo: number) => [
  target.prepare('update timer_bounds set due_at = 0'),
  target.prepare('delete from resealings'),
  target
    .prepare('update withdrawal_progress set done_to = ?1 where done_to > ?1')
    .bind(withdrawnTo),
];

/** Begins the stay in the new shard, then tells the directory. Nobody owned the store in between. */
export async function settle(move: Move): Promise<Progress> {
  const { source, target, context, store_id, move_id, to_shard } = move;
  const residentSql = 'select state, epoch, version, facts from residents where store_id = ?';
  const [old, present] = await Promise.all(
    [source, target].map((db) =>
      db
        .prepare(residentSql)
        .bind(store_id)
        .first<{ state: number; epoch: number; version: number; facts: string }>(),
    ),
  );
  if (!old) throw new Error('The store has no row in its old shard.');
  let epoch = present?.epoch ?? 0;
  if (!present || present.state === ResidentState.gone) {
    epoch = Math.max(old.epoch, epoch) + 1;
    await target.batch([
      assertion(
        target,
        'exists (select 1 from arrivals where store_id = ? and move_id = ?)',
        store_id,
        move_id,
      ),
      target
        .prepare(
          `update webhook_endpoints set lease_until = 0 where store_id = ? and lease_until = ${movingLease}`,
        )
        .bind(store_id),
      target
        .prepare(
          `insert into residents (store_id, state, epoch, version, facts) values (?1, ${ResidentState.here}, ?2, ?3, ?4)
            on conflict do update set state = ${ResidentState.here}, to_shard = null, epoch = ?2, version = ?3, facts = ?4`,
        )
        .bind(store_id, epoch, old.version, old.facts),
      target.prepare('delete from arrivals where store_id = ?').bind(store_id),
      ...newResidentStatements(target, move.withdrawn_to),
    ]);
  }
  // The epoch only grows, so this does nothing if the store has moved on since.
  await context.env.DIRECTORY.prepare(
    'update stores set shard = ?, epoch = ? where id = ? and epoch < ?',
  )
    .bind(to_shard, epoch, store_id, epoch)
    .run();
  await source.batch([
    assertState(move, DepartureState.switched),
    beginState(move, DepartureState.moved),
  ]);
  log('info', 'store_moved', {
    store: store_id,
    shard: context.shard,
    to_shard,
    rows: move.rows,
    digest: move.digest,
    refused_ms: context.now() - (move.fenced_at ?? context.now()),
  });
  return 'wait';
}

/** Deletes the old data of a store that has moved, a month later. The row of `residents` stays and forwards. */
export async function forget(move: Move): Promise<Progress> {
  const { source, store_id, context } = move;
  if (context.now() < move.since + keepMs) return 'wait';
  const isMoved = () => assertState(move, DepartureState.moved);
  if (await deleteRows(source, store_id, isMoved, context.hasTime, keptTables)) {
    await source.batch([
      isMoved(),
      source.prepare('delete from departures where store_id = ?').bind(store_id),
    ]);
  }
  return 'wait';
}
