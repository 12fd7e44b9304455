import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { countingDatabase, measureRequest, noCost } from '../../support/api/measure.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../../support/oauth/partner.ts';
import '../../support/fixtures/first-shard.ts';

const start = Date.UTC(2026, 5, 1);

afterEach(() => void vi.useRealTimers());

/** Posts a form while its app is cached; returns its cost on the directory and on the shard. */
async function costOf(form: ReturnType<typeof redemptionForm>, now = start) {
  const [directory, shard] = [noCost(), noCost()];
  const bindings = {
    DIRECTORY: countingDatabase(env.DIRECTORY, directory),
    STORE_0: countingDatabase(env.STORE_0, shard),
  };
  const { status } = await postToken(form, { now, bindings });
  return {
    status,
    directory: directory.roundTrips,
    shard: shard.roundTrips,
    written: shard.rowsWritten,
  };
}

describe('cost of the token endpoint', () => {
  it('is one batch for each use of a code or refresh token, and a look-up of the member before tokens leave', async () => {
    const app = await createTestApp();
    const store = await createTestStore();
    const approved = await approveConsent(store, app, { now: start });
    // Puts the app into the cache of the isolate, whose TTL is 30 seconds.
    await postToken({ grant_type: 'refresh_token', client_id: app.client_id }, { now: start });
    const one = { directory: 0, shard: 1 };
    const withMembership = { directory: 1, shard: 1 };

    const wrong = { ...redemptionForm(approved), code_verifier: 'b'.repeat(43) };
    expect(await costOf(wrong)).toMatchObject({ ...one, status: 400, written: 0 });
    expect(await costOf(redemptionForm(approved))).toMatchObject({
      ...withMembership,
      status: 200,
      written: 1,
    });
    expect(await costOf(redemptionForm(approved))).toMatchObject({ ...one, status: 400 });

    const { tokens } = await connectApp(store, { app, now: start });
    const refresh = refreshForm(app, tokens.refresh_token);
    expect(await costOf(refresh)).toMatchObject({ ...withMembership, status: 200, written: 1 });
    expect(await costOf(refresh)).toMatchObject({ ...withMembership, status: 200, written: 0 });
    await postToken(
      { grant_type: 'refresh_token', client_id: app.client_id },
      { now: start + 200_000 },
    );
    const late = await costOf(refresh, start + 200_000);
    expect(late).toMatchObject({ ...withMembership, status: 200 });
    const junk = refreshForm(app, 'ort_junk');
    expect(await costOf(junk, start + 200_000)).toMatchObject({
      shard: 0,
      directory: 0,
      status: 400,
    });
  });

  it('is one batch for each loser of a race', async () => {
    const approved = await approveConsent(await createTestStore(), await createTestApp(), {
      now: start,
    });
    const costs = await Promise.all(
      Array.from({ length: 10 }, () => costOf(redemptionForm(approved))),
    );
    expect(costs.map(({ shard }) => shard)).toEqual(Array.from({ length: 10 }, () => 1));
    expect(costs.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is nothing for a revoked token that is sent repeatedly', async () => {
    const connected = await connectApp(await createTestStore(), { now: start });
    await postToken(redemptionForm(connected), { now: start });
    const refresh = refreshForm(connected.app, connected.tokens.refresh_token);
    expect(await costOf(refresh)).toMatchObject({ status: 400, shard: 1 });
    expect(await costOf(refresh)).toMatchObject({ status: 400, shard: 0 });
  });
});

describe('cost of a bearer token in an API request', () => {
  it('is no round trip: the guard runs in the batch, and the token contains what the request needs', async () => {
    const connected = await connectApp(await createTestStore());
    const caller = { ...connected.store, headers: connected.headers };
    const cold = await measureRequest(caller, 'GET /catalog/brands');
    expect([cold.response.status, cold.directory.roundTrips, cold.data.roundTrips]).toEqual([
      200, 0, 1,
    ]);
    const warm = await measureRequest(caller, 'GET /catalog/brands');
    expect([warm.directory.roundTrips, warm.data.roundTrips, warm.data.statements]).toEqual([
      0, 1, 2,
    ]);
    const withApiKey = await measureRequest(connected.store, 'GET /catalog/brands');
    expect(warm.data.rowsRead - withApiKey.data.rowsRead).toBeLessThanOrEqual(1);
    const brand = { name: 'Marca', active: true };
    // The first change after a list writes its version.
    await connected.store.api('POST /catalog/brands', { name: 'Primeira', active: true });
    const write = await measureRequest(caller, 'POST /catalog/brands', brand);
    const writeWithApiKey = await measureRequest(connected.store, 'POST /catalog/brands', {
      ...brand,
      name: 'Outra',
    });
    expect([write.response.status, write.data.roundTrips]).toEqual([
      201,
      writeWithApiKey.data.roundTrips,
    ]);
    expect(write.data.rowsWritten).toBe(writeWithApiKey.data.rowsWritten);
  });

  it('is nothing on any database for a token that we did not sign', async () => {
    const { store, headers: own, tokens } = await connectExpired();
    for (const token of [
      'oat_junk.junk',
      tokens.refresh_token,
      // Its claims are no longer those that were signed.
      tokens.access_token.replace(/.(?=\.)/, (last) => (last === 'A' ? 'B' : 'A')),
    ]) {
      const headers = { ...own, Authorization: `Bearer ${token}` };
      const { response, directory, data } = await measureRequest(
        { ...store, headers },
        'GET /catalog/brands',
      );
      expect([response.status, directory.roundTrips, data.roundTrips]).toEqual([401, 0, 0]);
    }
  });

  it('is nothing that the response waits for with an expired token that we signed: a row for its partner follows', async () => {
    const { store, headers } = await connectExpired();
    // An isolate stores a number of refused requests in a minute; this minute has none yet.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 90_000 });
    const shard = noCost();
    const calls: string[] = [];
    const answered = Promise.withResolvers<object>();
    const ask = (sql: string) => {
      calls.push(sql);
      return answered.promise;
    };
    const prepare = (sql: string) => {
      const run = () => ask(sql);
      const statement = { bind: () => statement, all: run, raw: run, run, first: run };
      return statement;
    };
    const bindings = {
      DIRECTORY: fakeDatabase({ prepare, batch: () => ask('batch') }),
      STORE_0: countingDatabase(env.STORE_0, shard),
    };
    const context = createExecutionContext();
    const request = new Request(`https://api.test/v2/${store.alias}/catalog/brands`, { headers });
    // The directory does not answer before the service has.
    const { status } = await createApp().fetch(request, { ...env, ...bindings }, context);
    answered.resolve({ success: true, results: [], meta: {} });
    await waitOnExecutionContext(context);
    expect([status, shard.roundTrips]).toEqual([401, 0]);
    expect(calls).toEqual([expect.stringContaining('insert into "request_log"')]);
  });
});

/** A store and an app whose access token has expired. */
async function connectExpired() {
  return connectApp(await createTestStore(), { now: Date.now() - 600_000 });
}
