import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import {
  countInstalls,
  keepInstalls,
  listAppEvents,
  maxAskedShards,
} from '../../src/oauth/installed-apps.ts';
import { disconnectApp } from '../../src/oauth/revoke-grants.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp } from '../support/oauth/partner.ts';
import '../support/fixtures/first-shard.ts';

/**
 * A deployment of so many shards; only the first two have data. `cost` counts what all of them are
 * asked.
 */
function deploymentOf(count: number) {
  const cost = noCost();
  const shards = Object.fromEntries(
    Array.from({ length: count }, (_, shard) => [
      `STORE_${shard}`,
      countingDatabase(shard === 1 ? env.STORE_1 : env.STORE_0, cost),
    ]),
  );
  return { bindings: { ...env, ...shards }, cost };
}

/** Runs the task of the sweep in both shards that have data, in their minute. */
async function keepCounts(bindings: Env) {
  for (const shard of [0, 1] as const) {
    const db = env[`STORE_${shard}`];
    const now = () => Math.floor(Date.now() / 21_600_000) * 21_600_000 + shard * 60_000;
    await keepInstalls({ env: bindings, shard, db, now, hasTime: () => true });
  }
}

describe('the installs of an app', () => {
  it('are counted in the shards of a small deployment', async () => {
    const { app } = await connectApp(await createTestStore());
    await connectApp(await createTestStore({ shard: 1 }), { shard: 1, app });
    const installs = await countInstalls(env, [app.client_id], Date.now());
    expect(installs.get(app.client_id)).toBe(2);
  });

  it('come from the directory in a large one, and ask no shard', async () => {
    const { bindings, cost } = deploymentOf(maxAskedShards + 1);
    const { app } = await connectApp(await createTestStore());
    const gone = await connectApp(await createTestStore(), { app });
    await connectApp(await createTestStore({ shard: 1 }), { shard: 1, app });
    await keepCounts(bindings);
    const count = async () =>
      (await countInstalls(bindings, [app.client_id], Date.now())).get(app.client_id);
    expect(await count()).toBe(3);
    const store = { id: gone.store.id, shard: 0 };
    await disconnectApp(env, store, app.client_id, Date.now());
    await keepCounts(bindings);
    expect(await count()).toBe(2);
    expect(cost.roundTrips).toBe(0);
    const events = await listAppEvents(bindings, app.client_id);
    expect(events.map(({ kind }) => kind)).toEqual(['disconnected_by_merchant']);
    expect(cost.roundTrips).toBe(2);
  });

  it('are counted for the directory four times a day, and only in a large deployment', async () => {
    const { bindings } = deploymentOf(maxAskedShards + 1);
    const start = Math.floor(Date.now() / 21_600_000) * 21_600_000;
    const runAt = async (deployment: Env, minute: number) => {
      const cost = noCost();
      const db = countingDatabase(env.STORE_0, cost);
      const now = () => start + minute * 60_000;
      await keepInstalls({ env: deployment, shard: 0, db, now, hasTime: () => true });
      return cost.roundTrips;
    };
    expect(await runAt(bindings, 0)).toBe(1);
    expect(await runAt(bindings, 1)).toBe(0);
    expect(await runAt(env, 0)).toBe(0);
  });
});
