import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import {
  withdrawAppEverywhere,
  endWithdrawnGrants,
  maxShardsAtOnce,
} from '../../src/oauth/withdraw-app.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { failingDatabase } from '../support/fakes/failing-database.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../support/oauth/partner.ts';
import '../support/fixtures/first-shard.ts';

const minute = 60_000;
const listBrands = 'GET /catalog/brands';

/** Runs the task of the sweep in one of the two shards. */
const sweepShard = (shard: 0 | 1, at: number, bindings = env) =>
  endWithdrawnGrants({
    env: bindings,
    shard,
    db: bindings[`STORE_${shard}`],
    now: () => at,
    hasTime: () => true,
  });

describe('a withdrawn app', () => {
  it('loses its tokens at once where the database responds, and with the next sweep elsewhere', async () => {
    const near = await connectApp(await createTestStore());
    const far = await connectApp(await createTestStore({ shard: 1 }), { shard: 1, app: near.app });
    const warnings = vi.spyOn(console, 'warn').mockReturnValue();
    const STORE_1 = failingDatabase(env.STORE_1, 'Network connection lost.').database;
    const now = Date.now();
    await withdrawAppEverywhere({ ...env, STORE_1 }, near.app.client_id, now);
    expect(warnings.mock.calls.map(([line]) => JSON.parse(String(line)))).toEqual([
      { level: 'warn', event: 'app_withdrawal_delayed', client: near.app.client_id, shard: 1 },
    ]);
    warnings.mockRestore();
    expect((await near.api(listBrands)).status).toBe(401);
    expect((await far.api(listBrands)).status).toBe(200);
    await sweepShard(1, now + 30_000);
    expect((await far.api(listBrands)).status).toBe(401);
  });

  it('is withdrawn with a bounded number of calls, however many shards there are', async () => {
    const { app } = await connectApp(await createTestStore());
    const cost = noCost();
    const shards = Object.fromEntries(
      Array.from({ length: 60 }, (_, shard) => [
        `STORE_${shard}`,
        countingDatabase(env.STORE_0, cost),
      ]),
    );
    await withdrawAppEverywhere({ ...env, ...shards }, app.client_id, Date.now());
    expect(cost.roundTrips).toBe(maxShardsAtOnce);
  });

  it('is ended again in a shard that was restored to an earlier moment', async () => {
    const connected = await connectApp(await createTestStore());
    const now = Date.now();
    await withdrawAppEverywhere(env, connected.app.client_id, now);
    while ((await sweepShard(0, now)) > 0);
    // The restored rows: the grant lives, and the progress is older.
    await env.STORE_0.batch([
      env.STORE_0.prepare(
        'update oauth_grants set revoked_at = null, reason = null where client_id = ?',
      ).bind(connected.app.client_id),
      env.STORE_0.prepare('update withdrawal_progress set done_to = ?').bind(now - 1),
    ]);
    expect((await connected.api(listBrands)).status).toBe(200);
    await sweepShard(0, now + minute);
    expect((await connected.api(listBrands)).status).toBe(401);
  });

  it('keeps a connection that its partner created after the return to draft', async () => {
    const store = await createTestStore();
    const app = await createTestApp({ ownerId: store.userId });
    const first = await connectApp(store, { app });
    const now = Date.now() - minute;
    await withdrawAppEverywhere(env, app.client_id, now, 'draft');
    expect((await first.api(listBrands)).status).toBe(401);
    const again = await connectApp(store, { app, now: Date.now() + minute });
    while ((await sweepShard(0, Date.now())) > 0);
    expect((await again.api(listBrands)).status).toBe(200);
  });

  it('costs an idle sweep one row in two calls', async () => {
    const now = Date.now() + 10 * minute;
    while ((await sweepShard(0, now)) > 0);
    const [own, directory] = [noCost(), noCost()];
    await sweepShard(0, now, {
      ...env,
      STORE_0: countingDatabase(env.STORE_0, own),
      DIRECTORY: countingDatabase(env.DIRECTORY, directory),
    });
    expect([own.roundTrips, directory.roundTrips]).toEqual([1, 1]);
    expect(own.rowsRead + directory.rowsRead).toBeLessThanOrEqual(2);
    expect(own.rowsWritten + directory.rowsWritten).toBe(0);
  });
});
