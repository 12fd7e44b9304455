import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { purgeTombstones, tombstoneMs } from '../../../src/ops/purge-directory.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const hourMs = 3_600_000;

/** A minute of an hour in which the purge runs, far from the time of other tests. */
const now = Math.floor(Date.UTC(2040, 0, 1) / hourMs) * hourMs + 53 * 60_000;

/** Makes a store a tombstone of this time, or closes it without one. */
async function createTombstone(test: boolean, erasedAt: number | null) {
  const { id } = await createTestStore({ test });
  await env.DIRECTORY.batch([
    env.DIRECTORY.prepare('delete from memberships where store_id = ?').bind(id),
    env.DIRECTORY.prepare(
      `update stores set active = 0, alias = 'erased-' || id, name = '', erased_at = ?2 where id = ?1`,
    ).bind(id, erasedAt),
  ]);
  return id;
}

const exists = async (id: number) =>
  (await env.DIRECTORY.prepare('select 1 from stores where id = ?').bind(id).first()) !== null;

describe('the tombstone of a test store', () => {
  it('goes after 35 days; that of another store, and a store that is not erased, stay', async () => {
    const old = await createTombstone(true, now - tombstoneMs - 1);
    const kept = [
      await createTombstone(true, now - tombstoneMs),
      await createTombstone(false, now - tombstoneMs - 1),
      await createTombstone(true, null),
    ];
    await purgeTombstones(env.DIRECTORY, now + 60_000);
    expect(await exists(old)).toBe(true);
    await purgeTombstones(env.DIRECTORY, now);
    expect(await exists(old)).toBe(false);
    expect(await Promise.all(kept.map(exists))).toEqual([true, true, true]);
  });

  it('is found by an index, in one round trip', async () => {
    await createTombstone(true, now - tombstoneMs - 1);
    for (let made = 0; made < 20; made += 1) await createTombstone(false, null);
    const cost = noCost();
    await purgeTombstones(countingDatabase(env.DIRECTORY, cost), now);
    expect(cost.roundTrips).toBe(1);
    expect(cost.rowsRead).toBeLessThan(15);
  });
});
