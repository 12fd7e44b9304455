import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { demoApiKeys, demoStores } from '../../../src/demo/seed/account-data.ts';
import { startReceiver } from '../../support/node/receivers/receiver.ts';
import { freePort } from '../../support/node/runtime/free-port.ts';
import { killStarted, npmStart } from '../../support/node/runtime/npm-start.ts';
import { describeWaiting, passMinute } from '../../support/node/runtime/shard-file.ts';
import { patience } from '../../support/patience.ts';
import { seededRandom } from '../../support/webhooks/simulation/seeded-random.ts';

/** Each takes some 20 seconds on a quiet machine. */
const runs = Number(process.env.KILL_RUNS ?? 2);
const firstSeed = Number(process.env.SEED ?? 1);
const connections = 8;

const [{ alias }] = demoStores;
const [{ token, secret }] = demoApiKeys;
const folder = mkdtempSync(join(tmpdir(), 'store-api-killed-'));
const prepared = join(folder, 'prepared');

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
const copyState = (name: string) => {
  const state = join(folder, name);
  cpSync(prepared, state, { recursive: true });
  return state;
};

beforeAll(async () => {
  const first = npmStart(await freePort(), prepared);
  await first.banner();
  await first.kill();
});

afterAll(() => {
  killStarted();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Kills the service three times under load, with another start beside it, and returns how many
 * sweeps had to wake until all arrived.
 */
async function killThrice(seed: number) {
  const random = seededRandom(seed);
  const [state, other] = [copyState(`killed-${seed}`), copyState(`beside-${seed}`)];
  const [port, inbox] = [await freePort(), await startReceiver()];
  let service = npmStart(port, state);
  await service.banner();

  const ending = new AbortController();
  const create = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`http://localhost:${port}/v2/${alias}${path}`, {
      method: 'POST',
      headers: {
        'User-Token': token,
        'User-Secret-Key': secret,
        'Content-Type': 'application/json',
      },
      body: JSON.stringify(body),
      signal: ending.signal,
    });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json<{ data: { id: number } }>()).data.id;
  };
  const webhook = { url: inbox.url, name: 'kill', events: ['product.created'] };
  await create('/webhooks', webhook);
  const brand = { name: `Marca ${seed}`, active: true };
  const product = { simple: true, active: true, brand_id: await create('/catalog/brands', brand) };

  const acknowledged = new Set<number>();
  const load = async (connection: number) => {
    for (let n = 0; !ending.signal.aborted; n += 1) {
      const name = `Produto ${connection}-${n}`;
      const id = await create('/catalog/products', { ...product, name }).catch(() => undefined);
      if (id === undefined) await pause(50);
      else acknowledged.add(id);
    }
  };
  const loading = Array.from({ length: connections }, (_, connection) => load(connection));
  const acknowledge = (count: number) => {
    const goal = acknowledged.size + count;
    return vi.waitUntil(() => acknowledged.size >= goal, patience);
  };
  await acknowledge(Math.ceil(random() * 100));
  const beside = npmStart(await freePort(), other);
  for (let kill = 0; kill < 3; kill += 1) {
    // A kill may meet the service while it starts.
    if (kill > 0) await pause(random() * 6_000);
    await service.kill();
    if (kill === 2) passMinute(state);
    service = npmStart(port, state);
  }
  try {
    await service.banner();
    await acknowledge(Math.ceil(random() * 50));
    ending.abort();
    await Promise.all(loading);
    const missing = () => {
      const arrived = new Set(
        inbox.received.map(
          ({ body }) => (JSON.parse(body.toString()) as { resource: { id: number } }).resource.id,
        ),
      );
      return [...acknowledged].filter((id) => !arrived.has(id)).length;
    };
    await expect.poll(missing, patience).toBe(0);
  } catch (error) {
    const waiting = describeWaiting(state);
    const log = service.output().slice(-2_000);
    throw new Error(`seed ${seed}\n${waiting}\n${log}`, { cause: error });
  } finally {
    ending.abort();
    await Promise.all([service.kill(), beside.kill()]);
    inbox.server.close();
    inbox.server.closeAllConnections();
  }
  const sweeps = [...service.output().matchAll(/"shard_swept","shard":0[^}]*"woken"/g)].length;
  const repeated = inbox.received.length - acknowledged.size;
  process.stdout.write(
    `seed ${seed}: ${acknowledged.size} acknowledged, ${sweeps} sweeps that woke, ${repeated} more arrived\n`,
  );
  return sweeps;
}

describe('npm start, killed three times', () => {
  const seeds = Array.from({ length: runs }, (_, run) => firstSeed + run);
  it.each(seeds)(
    'fault 82: sends every acknowledged event once its leases are over, and at most one sweep has to wake, seed %i',
    { timeout: 400_000 },
    async (seed) => expect(await killThrice(seed)).toBeLessThanOrEqual(1),
  );
});
