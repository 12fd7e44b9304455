import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Miniflare } from 'miniflare';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { approve, callback, seedApp, token } from '../support/node/authorization.ts';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { receiver, type Receiver } from '../support/node/receiver.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { caller } from '../support/node/selling.ts';
import { shardFile } from '../support/node/shard-file.ts';
import { seedStore } from '../support/node/store.ts';

const state = mkdtempSync(join(tmpdir(), 'store-api-restore-'));
const bookmark = `${state}.bookmark`;
let built: Bundle;
let inbox: Receiver;
let runtime: Miniflare | undefined;

/** The service over the state as it is, and what it is asked for here. */
async function started() {
  const script = join(built.folder, 'index.js');
  runtime = await startRuntime({ script, persist: state });
  const running = runtime;
  const url = (await running.ready).href;
  return { running, url, api: caller(url) };
}

async function stopped(): Promise<string> {
  await runtime?.dispose();
  runtime = undefined;
  const file = shardFile(state);
  // Everything into the one file, as a backup has it.
  const database = new DatabaseSync(file);
  database.exec('pragma wal_checkpoint(truncate)');
  database.close();
  return file;
}

beforeAll(async () => {
  built = bundle();
  inbox = await receiver();
});

afterEach(() => runtime?.dispose());

afterAll(() => {
  inbox.server.close();
  rmSync(state, { recursive: true });
  rmSync(bookmark, { force: true });
  rmSync(built.folder, { recursive: true });
});

const arrivals = () =>
  inbox.received.map(({ headers }) => ({
    id: headers['webhook-id'] ?? '',
    place: headers['x-service-sequence'] ?? '',
  }));

describe('fault 70: a database that is restored to a bookmark', () => {
  it('counts under a later epoch, so that no number means two events; spent codes and tokens stay so', async () => {
    let { running, url, api } = await started();
    await migrate(running);
    await seedStore(running);
    await seedApp(running);
    const product = (name: string) =>
      api('POST /catalog/products', { name, simple: true, active: true, brand_id: 1 });
    const redeem = ({ code, verifier }: { code: string; verifier: string }) =>
      token(url, {
        grant_type: 'authorization_code',
        redirect_uri: callback,
        code,
        code_verifier: verifier,
      });
    const refresh = async (refresh_token = '') => {
      const { status, body } = await token(url, { grant_type: 'refresh_token', refresh_token });
      return { status, hint: body.hint, token: body.refresh_token };
    };
    const arrived = async (count: number) => {
      await expect.poll(() => arrivals().length, { timeout: 15_000 }).toBe(count);
    };
    await api('POST /catalog/brands', { name: 'Marca', active: true });
    await api('POST /webhooks', { name: 'inbox', url: inbox.url, events: ['product.created'] });
    await product('before');
    await arrived(1);
    const [waiting, spent] = [await approve(running), await approve(running)];
    const { body } = await redeem(spent);
    const early = body.refresh_token;

    copyFileSync(await stopped(), bookmark);
    ({ running, url, api } = await started());
    for (const name of ['lost', 'lost too']) await product(name);
    await arrived(3);
    const late = (await refresh((await refresh(early)).token)).token;
    expect((await redeem(waiting)).status).toBe(200);

    const file = await stopped();
    copyFileSync(bookmark, file);
    const database = new DatabaseSync(file);
    database.exec(readFileSync('src/db/after-restore.sql', 'utf8'));
    database.close();
    ({ running, url, api } = await started());
    for (const name of ['anew', 'anew too']) await product(name);
    await arrived(5);

    const places = arrivals().map(({ place }) => place.split('.').map(Number));
    expect(places.map(([, number]) => number)).toEqual([1, 2, 3, 2, 3]);
    const epochs = places.map(([epoch = 0]) => epoch);
    expect(epochs.slice(0, 3)).toEqual([1, 1, 1]);
    expect(epochs[3]).toBeGreaterThan(1_700_000_000);
    expect(epochs[4]).toBe(epochs[3]);
    expect(new Set(arrivals().map(({ id }) => id)).size).toBe(5);

    expect(await redeem(waiting)).toMatchObject({
      status: 400,
      body: { hint: 'Authorization code has expired' },
    });
    const next = await refresh(late);
    expect(next.status).toBe(200);
    expect(await refresh(early)).toMatchObject({ status: 400, hint: 'Token has been revoked' });
    expect((await refresh(next.token)).status).toBe(400);
  });
});
