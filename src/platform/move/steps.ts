import { pause } from '../../db/contention/pause.ts';
import { DepartureState } from '../../db/schema/store/moves.ts';
import { ResidentState } from '../../db/schema/store/residents.ts';
import { movingLease } from '../../db/schema/store/webhooks.ts';
import { raiseCounters, readCounters, takeBlock } from '../../db/shards/id-blocks.ts';
import { abort, withdraw } from './abort.ts';
import { deleteRows, keptTables } from './clean.ts';
import { compareRows, copyRows } from './copy.ts';
import {
  assertion,
  assertState,
  beginState,
  isArrivingSql,
  type Move,
  type Progress,
} from './departure.ts';
import { forget, settle } from './settle.ts';

/** Work on a whole shard that began before a move was announced ends within this time. */
const settleMs = 60_000;

/** A store that could not be copied within this time stays, so that its changes are not refused for longer. */
const maxFencedMs = 60 * 60_000;

/**
 * Announces the store in its new shard, deletes what an earlier stay left there, and waits until work that does not know of
 * the move has ended. Then fences the store: in one transaction its changes are refused from now on.
 */
async function announce(move: Move): Promise<Progress> {
  const { source, target, context, store_id, move_id, to_shard } = move;
  const [, inserted] = await target.batch<{ store_id: number }>([
    assertion(
      target,
      `not exists (select 1 from residents where store_id = ?1 and state <> ${ResidentState.gone})
        and not exists (select 1 from arrivals where store_id = ?1 and move_id <> ?2)
        and not exists (select 1 from departures where store_id = ?1 and state <> ${DepartureState.moved})`,
      store_id,
      move_id,
    ),
    target
      .prepare(
        `insert into arrivals (store_id, move_id, from_shard) values (?, ?, ?)
          on conflict do nothing returning store_id`,
      )
      .bind(store_id, move_id, context.shard),
    // What is left of an earlier stay is deleted now, not later.
    target.prepare('delete from departures where store_id = ?').bind(store_id),
  ]);
  if (inserted?.results.length) {
    await source.batch([
      assertState(move, DepartureState.announced),
      beginState(move, DepartureState.announced),
    ]);
    move.since = context.now();
  }
  const isFirst = () => assertion(target, isArrivingSql, store_id, move_id, -1);
  const place = await target
    .prepare('select position from arrivals where store_id = ? and move_id = ?')
    .bind(store_id, move_id)
    .first<number>('position');
  if (place === -1) {
    const isCleared = await deleteRows(target, store_id, isFirst, context.hasTime, keptTables);
    if (!isCleared) return 'wait';
    await target.batch([
      isFirst(),
      target.prepare('update arrivals set position = 0 where store_id = ?').bind(store_id),
    ]);
  }
  if (context.now() < move.since + settleMs) return 'wait';
  await source.batch([
    assertState(move, DepartureState.announced),
    assertion(
      source,
      `exists (select 1 from residents where store_id = ? and state = ${ResidentState.here})`,
      store_id,
    ),
    source
      .prepare(
        `update residents set state = ${ResidentState.leaving}, to_shard = ? where store_id = ?`,
      )
      .bind(to_shard, store_id),
    source
      .prepare(
        `update departures set fenced_at = ?,
          withdrawn_to = coalesce((select done_to from withdrawal_progress where id = 1), 0)
        where store_id = ?`,
      )
      .bind(context.now(), store_id),
    beginState(move, DepartureState.fenced),
  ]);
  return 'again';
}

/**
 * Takes the leases of all webhooks, each as soon as its worker has ended. The lease itself requires that the store is here
 * (`webhooks/lease`), so no other worker begins.
 */
async function takeLeases(move: Move): Promise<Progress> {
  const { source, store_id, context } = move;
  const [, , busy] = await source.batch<{ count: number }>([
    assertState(move, DepartureState.fenced),
    source
      .prepare(
        `update webhook_endpoints set lease_until = ${movingLease}, lease_generation = lease_generation + 1,
          lease_workers = 0, lease_claimed_seq = null, lease_backoff_until = 0
        where store_id = ? and lease_until <= ?`,
      )
      .bind(store_id, context.now()),
    source
      .prepare(
        `select count(*) as count from webhook_endpoints where store_id = ? and lease_until <> ${movingLease}`,
      )
      .bind(store_id),
  ]);
  if ((busy?.results[0]?.count ?? 0) > 0) {
    if (!context.hasTime()) return 'wait';
    await pause(leasePollMs);
    return 'again';
  }
  if (!(await makeRoomForIds(move))) {
    await abort(move, 'no block of ids is left');
    return 'again';
  }
  await source.batch([
    assertState(move, DepartureState.fenced),
    beginState(move, DepartureState.copying),
  ]);
  return 'again';
}

/**
 * AUTOINCREMENT counts on from the greatest id of a table, so ids that come from a shard that is ahead would make the new
 * shard give out ids of that one. It then takes a block behind all of them, before the first row comes. Returns `false` if
 * there is none. The store is fenced, so it gets no further id in its old shard.
 */
async function makeRoomForIds({ source, target, context, store_id, move_id, to_shard }: Move) {
  const [old, present] = await Promise.all([readCounters(source), readCounters(target)]);
  if ([...old].every(([table, last]) => last <= (present.get(table) ?? 0))) return true;
  const last = await takeBlock(context.env.DIRECTORY, to_shard);
  if (last === undefined) return false;
  await target.batch([
    assertion(target, isArrivingSql, store_id, move_id, 0),
    raiseCounters(target, last),
  ]);
  return true;
}

const leasePollMs = 250;

async function copy(move: Move): Promise<Progress> {
  if (!(await copyRows(move))) return 'wait';
  const { source } = move;
  await source.batch([
    assertState(move, DepartureState.copying),
    beginState(move, DepartureState.verifying),
  ]);
  return 'again';
}

/** Compares all data, then ends the stay of the store here. From then on the move only goes forward. */
async function verify(move: Move): Promise<Progress> {
  const { source, store_id } = move;
  const { isComplete, difference, rows, digest } = await compareRows(move);
  if (difference !== undefined) {
    await abort(move, `${difference} differs`);
    return 'again';
  }
  if (!isComplete) return 'wait';
  await source.batch([
    assertState(move, DepartureState.verifying),
    source
      .prepare(`update residents set state = ${ResidentState.gone} where store_id = ?`)
      .bind(store_id),
    source
      .prepare('update departures set rows = ?, digest = ? where store_id = ?')
      .bind(rows, digest, store_id),
    beginState(move, DepartureState.switched),
  ]);
  return 'again';
}

const steps: Readonly<Record<number, (move: Move) => Promise<Progress>>> = {
  [DepartureState.announced]: announce,
  [DepartureState.fenced]: takeLeases,
  [DepartureState.copying]: copy,
  [DepartureState.verifying]: verify,
  [DepartureState.switched]: settle,
  [DepartureState.moved]: forget,
  [DepartureState.aborting]: withdraw,
};

/** Makes one step of a move. A move that refuses changes of its store for too long is aborted first. */
export async function makeStep(move: Move): Promise<Progress> {
  const { state, fenced_at, context } = move;
  const isTooLate = fenced_at !== null && context.now() > fenced_at + maxFencedMs;
  if (isTooLate && state <= DepartureState.verifying) {
    await abort(move, 'too slow');
    return 'again';
  }
  const step = steps[state];
  if (!step) throw new Error(`no step for state ${state}`);
  return step(move);
}
