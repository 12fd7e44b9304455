import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase } from '../db/core/open.ts';
import {
  changeBatchSize,
  deleteStoreChanges,
  listStoreChanges,
} from '../db/directory/store-changes.ts';
import { noteClosing } from '../db/grants/app-notices.ts';
import { renewPulseStatement } from '../db/shards/pulse.ts';
import { insertResident, listAbsent, updateFactsStatements } from '../db/shards/residents.ts';
import { endFormerMemberships } from '../oauth/token/grantor.ts';
import type { SweepContext } from '../sweep-task.ts';

/**
 * Tells a shard what changed in the directory, so that requests need not ask there: the facts of its stores, and who manages
 * them no more. Then renews the pulse, which thus promises all of it to readers of replicas. Returns the number of changes.
 * One round trip to each database in a quiet minute. Changes are deleted last, so a run that fails is repeated.
 */
export async function followDirectory(context: SweepContext): Promise<number> {
  const { env, shard: number, db, now, hasTime } = context;
  const directory = openDatabase(env.DIRECTORY);
  const shard = openDatabase(db);
  const startedAt = now();
  let total = 0;
  for (;;) {
    const changes = await listStoreChanges(directory, number);
    total += changes.length;
    const stores = changes.map(({ store }) => store);
    if (stores.length > 0) {
      // Usually a new store is here already (`createStore`).
      const added = changes.filter(({ isNew }) => isNew).map(({ store }) => store);
      await withDbErrors(
        shard.batch([
          ...updateFactsStatements(shard, stores, startedAt),
          ...added.map((store) => insertResident(shard, store)),
          ...changes.flatMap(({ store, eraseAt }) =>
            eraseAt === null
              ? []
              : [noteClosing(shard, { storeId: store.id, eraseAt, now: startedAt })],
          ),
        ]),
      );
    }
    const ended = changes.filter(({ userId }) => userId !== null);
    const mustArrive = changes.some(({ userId, eraseAt }) => userId !== null || eraseAt !== null);
    const elsewhere = mustArrive ? await listAbsent(shard, stores) : new Set();
    const pairs = ended.flatMap(({ userId, store }) =>
      userId === null ? [] : [{ userId, storeId: store.id }],
    );
    if (pairs.length > 0) await endFormerMemberships(env, shard, pairs, startedAt);
    // A store that is moving keeps its grants until it is somewhere; what it must hear waits or goes with it.
    const ids = changes
      .filter(
        ({ userId, eraseAt, store }) =>
          (userId === null && eraseAt === null) || !elsewhere.has(store.id),
      )
      .map(({ id }) => id);
    if (ids.length > 0) await deleteStoreChanges(directory, number, ids);
    if (changes.length < changeBatchSize) break;
    // Changes are left, so the pulse may not promise them.
    if (!hasTime()) return total;
  }
  await withDbErrors(shard.batch([renewPulseStatement(shard, startedAt)]));
  return total;
}
