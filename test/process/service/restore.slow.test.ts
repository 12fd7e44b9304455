import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Miniflare } from 'miniflare';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  issueSeededCode,
  seededRedirectUri,
  seedApp,
  postTokenForm,
} from '../../support/node/oauth/authorization.ts';
import { startReceiver, type WebhookReceiver } from '../../support/node/receivers/receiver.ts';
import { createCaller } from '../../support/node/runtime/api.ts';
import { buildWorker, type WorkerBuild } from '../../support/node/runtime/bundle.ts';
import { fireCron, migrateRuntime, startRuntime } from '../../support/node/runtime/runtime.ts';
import { seedStore } from '../../support/node/runtime/seed-store.ts';
import { findShardFile } from '../../support/node/runtime/shard-file.ts';
import { patience } from '../../support/patience.ts';

const state = mkdtempSync(join(tmpdir(), 'store-api-restore-'));
const bookmark = `${state}.bookmark`;
let build: WorkerBuild;
let inbox: WebhookReceiver;
let runtime: Miniflare | undefined;

/** Starts the service on the current state. */
async function start() {
  const script = build.script;
  runtime = await startRuntime({ script, persist: state });
  const running = runtime;
  const url = (await running.ready).href;
  return { running, url, api: createCaller(url) };
}

/** Stops the service. Returns the database file of its shard. */
async function stop(): Promise<string> {
  await runtime?.dispose();
  runtime = undefined;
  const file = findShardFile(state);
  // Moves the write-ahead log into the file, as in a backup.
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  return file;
}

beforeAll(async () => {
  build = await buildWorker();
  inbox = await startReceiver();
});

afterEach(() => runtime?.dispose());

afterAll(() => {
  inbox.server.close();
  rmSync(state, { recursive: true });
  rmSync(bookmark, { force: true });
});

const arrivals = () =>
  inbox.received.map(({ headers }) => ({
    id: headers['webhook-id'] ?? '',
    sequence: headers['x-service-sequence'] ?? '',
  }));

describe('fault 70: a shard that is restored to a bookmark', () => {
  it('uses a new epoch, so no sequence number repeats; redeemed codes and rotated tokens stay invalid', async () => {
    let { running, url, api } = await start();
    await migrateRuntime(running);
    await seedStore(running);
    await seedApp(running);
    const product = (name: string) =>
      api('POST /catalog/products', { name, simple: true, active: true, brand_id: 1 });
    const redeem = ({ code, verifier }: { code: string; verifier: string }) =>
      postTokenForm(url, {
        grant_type: 'authorization_code',
        redirect_uri: seededRedirectUri,
        code,
        code_verifier: verifier,
      });
    const refresh = async (refresh_token = '') => {
      const { status, body } = await postTokenForm(url, {
        grant_type: 'refresh_token',
        refresh_token,
      });
      return { status, hint: body.hint, token: body.refresh_token };
    };
    const waitForArrivals = async (count: number) => {
      await expect.poll(() => arrivals().length, patience).toBe(count);
    };
    await api('POST /catalog/brands', { name: 'Marca', active: true });
    await api('POST /webhooks', { name: 'inbox', url: inbox.url, events: ['product.created'] });
    await product('before');
    await waitForArrivals(1);
    const [unredeemed, redeemed] = [await issueSeededCode(running), await issueSeededCode(running)];
    const { body } = await redeem(redeemed);
    const oldToken = body.refresh_token;

    copyFileSync(await stop(), bookmark);
    ({ running, url, api } = await start());
    for (const name of ['lost', 'lost too']) await product(name);
    await waitForArrivals(3);
    const newestToken = (await refresh((await refresh(oldToken)).token)).token;
    expect((await redeem(unredeemed)).status).toBe(200);

    const file = await stop();
    copyFileSync(bookmark, file);
    const database = new DatabaseSync(file);
    database.exec(readFileSync('drizzle/after-restore.sql', 'utf8'));
    database.close();
    ({ running, url, api } = await start());
    // The first sweep asks the directory which stores are still here; until then changes are 503.
    await fireCron(running);
    const patient = createCaller(url, [200, 503]);
    await expect
      .poll(
        async () =>
          (await patient('PUT /catalog/brands/1', { name: 'Marca', active: true })).status,
        patience,
      )
      .toBe(200);
    for (const name of ['after', 'after too']) await product(name);
    await waitForArrivals(5);

    const sequences = arrivals().map(({ sequence }) => sequence.split('.').map(Number));
    expect(sequences.map(([, number]) => number)).toEqual([1, 2, 3, 2, 3]);
    const epochs = sequences.map(([epoch = 0]) => epoch);
    expect(epochs.slice(0, 3)).toEqual([1, 1, 1]);
    expect(epochs[3]).toBeGreaterThan(1_700_000_000);
    expect(epochs[4]).toBe(epochs[3]);
    expect(new Set(arrivals().map(({ id }) => id)).size).toBe(5);

    expect(await redeem(unredeemed)).toMatchObject({
      status: 400,
      body: { hint: 'Authorization code has expired' },
    });
    const next = await refresh(newestToken);
    expect(next.status).toBe(200);
    expect(await refresh(oldToken)).toMatchObject({ status: 400, hint: 'Token has been revoked' });
    expect((await refresh(next.token)).status).toBe(400);
  });
});
