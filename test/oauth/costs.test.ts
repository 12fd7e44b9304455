import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { counting, measured } from '../support/counted.ts';
import { app, approve, connect, post, redemption, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

const start = Date.UTC(2026, 5, 1);

/** Posts a form with warm apps and tells what it cost on the directory and on the shard. */
async function costOf(form: ReturnType<typeof redemption>, now = start) {
  const nothing = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  const [directory, shard] = [{ ...nothing }, { ...nothing }];
  const bindings = {
    DIRECTORY: counting(env.DIRECTORY, directory),
    STORE_0: counting(env.STORE_0, shard),
  };
  const { status } = await post(form, { now, bindings });
  return { status, directory: directory.trips, shard: shard.trips, written: shard.rowsWritten };
}

describe('what the token endpoint costs', () => {
  it('one batch for each use of a code and of a refresh token, whatever comes of it', async () => {
    const of = await app();
    const own = await store();
    const given = await approve(own, of, { now: start });
    // Warms the app up: it is read once per isolate and half a minute.
    await post({ grant_type: 'refresh_token', client_id: of.client_id }, { now: start });
    const one = { directory: 0, shard: 1 };

    const wrong = { ...redemption(given), code_verifier: 'b'.repeat(43) };
    expect(await costOf(wrong)).toMatchObject({ ...one, status: 400, written: 0 });
    expect(await costOf(redemption(given))).toMatchObject({ ...one, status: 200, written: 1 });
    expect(await costOf(redemption(given))).toMatchObject({ ...one, status: 400 });

    const { tokens } = await connect(own, { app: of, now: start });
    const refresh = refreshment(of, tokens.refresh_token);
    expect(await costOf(refresh)).toMatchObject({ ...one, status: 200, written: 1 });
    expect(await costOf(refresh)).toMatchObject({ ...one, status: 200, written: 0 });
    await post({ grant_type: 'refresh_token', client_id: of.client_id }, { now: start + 200_000 });
    const late = await costOf(refresh, start + 200_000);
    expect(late).toMatchObject({ ...one, status: 200 });
    const junk = refreshment(of, 'ort_junk');
    expect(await costOf(junk, start + 200_000)).toMatchObject({
      shard: 0,
      directory: 0,
      status: 400,
    });
  });

  it('one batch for each of those who lost a race', async () => {
    const given = await approve(await store(), await app(), { now: start });
    const costs = await Promise.all(Array.from({ length: 10 }, () => costOf(redemption(given))));
    expect(costs.map(({ shard }) => shard)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(costs.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('none for a dead token that keeps coming', async () => {
    const own = await connect(await store(), { now: start });
    await post(redemption(own), { now: start });
    const refresh = refreshment(own.app, own.tokens.refresh_token);
    expect(await costOf(refresh)).toMatchObject({ status: 400, shard: 1 });
    expect(await costOf(refresh)).toMatchObject({ status: 400, shard: 0 });
  });
});

describe('what a bearer token costs a row', () => {
  it('no round trip: the guard rides in the batch, the directory is warm', async () => {
    const own = await connect(await store());
    const caller = { ...own.store, headers: own.headers };
    const cold = await measured(caller, 'GET /catalog/brands');
    expect([cold.answer.status, cold.directory.trips, cold.data.trips]).toEqual([200, 1, 1]);
    const warm = await measured(caller, 'GET /catalog/brands');
    expect([warm.directory.trips, warm.data.trips, warm.data.statements]).toEqual([0, 1, 3]);
    const pair = await measured(own.store, 'GET /catalog/brands');
    expect(warm.data.rowsRead - pair.data.rowsRead).toBeLessThanOrEqual(1);
    const made = { name: 'Marca', active: true };
    const write = await measured(caller, 'POST /catalog/brands', made);
    const byPair = await measured(own.store, 'POST /catalog/brands', { ...made, name: 'Outra' });
    expect([write.answer.status, write.data.trips]).toEqual([201, byPair.data.trips]);
    expect(write.data.rowsWritten).toBe(byPair.data.rowsWritten);
  });

  it('none on any database for a token that is wrong or expired', async () => {
    const own = await connect(await store(), { now: Date.now() - 600_000 });
    for (const headers of [
      own.headers,
      { ...own.headers, Authorization: 'Bearer oat_junk.junk' },
      { ...own.headers, Authorization: `Bearer ${own.tokens.refresh_token}` },
    ]) {
      const { answer, directory, data } = await measured(
        { ...own.store, headers },
        'GET /catalog/brands',
      );
      expect([answer.status, directory.trips, data.trips]).toEqual([401, 0, 0]);
    }
  });
});
