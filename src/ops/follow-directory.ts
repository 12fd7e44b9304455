import { openDatabase } from '../data/core/open-database.ts';
import { withKeys } from '../data/directory/api-keys.ts';
import {
  changeBatchSize,
  deleteStoreChanges,
  listStoreChanges,
  type StoreChange,
} from '../data/directory/store-changes.ts';
import { noteClosing, noteRenaming } from '../data/grants/app-notices.ts';
import { endGivenSince } from '../data/grants/former-members.ts';
import { insertPlacement, listAbsent, updateFactsStatements } from '../data/shards/placements.ts';
import type { SweepContext } from '../data/sweep-task.ts';
import { endFormerMemberships } from '../oauth/token/grant-steps.ts';

/**
 * Copies changes of the directory to a shard, so that requests need not read it: the facts of its
 * stores, ended memberships and ended consent. Returns the number of changes. One round trip to the
 * directory in a quiet minute. Changes are deleted last, so a run that fails is repeated.
 */
export async function followDirectory(context: SweepContext): Promise<number> {
  const { env, shard: number, db, now, hasTime } = context;
  const directory = openDatabase(env.DIRECTORY);
  const shard = openDatabase(db);
  const startedAt = now();
  let total = 0;
  let last: number | undefined;
  for (;;) {
    // Changes that wait for a moving store stay in the list, so each batch begins after the last
    // one.
    const changes = await listStoreChanges(directory, number, last);
    last = changes.at(-1)?.id ?? last;
    total += changes.length;
    const stores = changes.map(({ store }) => store);
    if (stores.length > 0) {
      // Usually a new store is here already (`createStore`).
      const added = changes.filter(({ isNew }) => isNew).map(({ store }) => store);
      await shard.batch([
        ...updateFactsStatements(shard, stores, startedAt),
        ...added.map((store) => insertPlacement(shard, store)),
        ...changes.flatMap(({ store: { id: storeId }, eraseAt, formerAlias, leftAt }) => [
          ...(eraseAt === null ? [] : [noteClosing(shard, { storeId, eraseAt, now: startedAt })]),
          ...(formerAlias === null || leftAt === null
            ? []
            : [noteRenaming(shard, { storeId, formerAlias, leftAt })]),
        ]),
      ]);
    }
    const ended = changes.filter(({ userId }) => userId !== null);
    const elsewhere = changes.some(mustArrive) ? await listAbsent(shard, stores) : new Set();
    const pairs = ended.flatMap(({ userId, givenSince, store }) =>
      userId === null || givenSince !== null ? [] : [{ userId, storeId: store.id }],
    );
    if (pairs.length > 0) await endFormerMemberships(env, shard, pairs, startedAt);
    const given = ended.flatMap(({ userId, givenSince, store }) =>
      userId === null || givenSince === null
        ? []
        : [{ userId, storeId: store.id, since: givenSince }],
    );
    if (given.length > 0) {
      await endGivenSince(shard, await withKeys(directory, given), startedAt);
    }
    // The grants of a moving store stay until its placement is known; its changes wait or move with
    // it.
    const ids = changes
      .filter((change) => !mustArrive(change) || !elsewhere.has(change.store.id))
      .map(({ id }) => id);
    if (ids.length > 0) await deleteStoreChanges(directory, number, ids);
    if (changes.length < changeBatchSize || !hasTime()) return total;
  }
}

/**
 * Whether a change waits while its store is between two shards: it is more than the facts, which
 * the next shard has.
 */
const mustArrive = ({ userId, eraseAt, formerAlias }: StoreChange) =>
  userId !== null || eraseAt !== null || formerAlias !== null;
