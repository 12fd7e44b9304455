import { existsSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { loadCommands } from '../../src/client/operator/commands.ts';
import { parseWords } from '../../src/client/operator/words.ts';
import { copyPastStore, type WantedStore } from '../../src/deploy/copy-past-store.ts';
import { startBucket } from '../support/fakes/s3-bucket.ts';
import { type Fault, FakeCloudflare } from '../support/node/deploy/fake-cloudflare.ts';
import { DeployProject } from '../support/node/deploy/project.ts';
import {
  beforeHistory,
  bucketOf,
  copiedBrands,
  copyRestoreWorld,
  createRestoreWorld,
  restoredAt,
} from '../support/node/deploy/restore-world.ts';
import { splitCommands } from '../support/node/docs/shell-commands.ts';
import { shared } from '../support/shared.ts';
import { isSlow, runsOf } from '../support/slow.ts';

const cleanUps: (() => void)[] = [];

afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** The world of a deployment, which each test copies. */
const createOriginal = shared(async (more: object) => {
  const project = new DeployProject();
  projects.push(project);
  return createRestoreWorld(project, new FakeCloudflare(), more);
});

const projects: DeployProject[] = [];

afterAll(() => {
  for (const project of projects) project.remove();
});

async function createWorld(more: object = {}) {
  const world = copyRestoreWorld(await createOriginal(more));
  cleanUps.push(() => world.project.remove());
  return world;
}

/** Runs `npm run copy-store`, which may lose the network once or be killed. */
function restore(
  { project, cloudflare }: Awaited<ReturnType<typeof createWorld>>,
  {
    fault,
    isGivenUp = false,
    wanted = {},
  }: { fault?: Fault; isGivenUp?: boolean; wanted?: Partial<WantedStore> } = {},
) {
  const { deploymentFile } = project;
  return project.untilKilled(cloudflare, fault, (account) => {
    // A process that died keeps its lock, which its operator ends.
    cloudflare.endTurn();
    const run = project.createRun(account);
    return copyPastStore(
      run,
      { storeId: 7, at: restoredAt, ...wanted },
      { deploymentFile, settleMs: 0, isGivenUp },
    );
  });
}

describe('npm run copy-store that loses its network or is killed', () => {
  /** The calls of a whole restore: all in a slow run, else some of them. */
  async function someCalls(step: number) {
    const reference = await createWorld();
    await restore(reference);
    const { calls } = reference.cloudflare;
    expect(calls.length).toBeGreaterThan(40);
    return calls
      .map((name, index) => ({ name, call: index + 1 }))
      .filter((_one, index) => index % runsOf(1, step) === 0);
  }

  it.each<[string, Omit<Fault, 'call'>]>([
    ['a call of the account was lost before it took effect', { isDone: false }],
    ['a call was lost after it', { isDone: true }],
    ['it was killed at one, after its effect', { isDone: true, isKilled: true }],
  ])('goes on where it stopped when %s', async (_which, how) => {
    using bucket = startBucket();
    for (const { call, name } of await someCalls(18)) {
      bucket.objects.clear();
      const world = await createWorld();
      const context = JSON.stringify([call, how, name]);
      await restore(world, { fault: { ...how, call } }).catch(() => undefined);
      const isOver = !existsSync(world.project.restoreFile);
      if (!isOver || bucket.objects.size === 0) await restore(world);
      world.expectPresent(context);
      const copies = await copiedBrands(bucket.objects);
      expect(copies.length, context).toBeGreaterThan(0);
      for (const names of copies) expect(names, context).toEqual(['one', 'two']);
    }
  });

  it('may be given up when it was killed at any call: the shard is as it was', async () => {
    using _bucket = startBucket();
    for (const { call } of await someCalls(20)) {
      const world = await createWorld();
      const fault = { call, isDone: true, isKilled: true };
      await expect(restore(world, { fault })).rejects.toThrow('SIGKILL');
      const result = await restore(world, { isGivenUp: true }).catch(String);
      expect(result).toMatch(/^Given up: the shard is as it was|^Store 7 of \S+ is in the copy /);
      world.expectPresent(`${call}`);
    }
  });
});

describe.skipIf(isSlow)('npm run copy-store', () => {
  it('copies the store as it was, and brings the shard forward again, which nobody could change meanwhile', async () => {
    using bucket = startBucket();
    const world = await createWorld();
    const result = await restore(world);
    const [copy] = world.run(
      'directory',
      'select name, store_id, finished_at from store_copies',
    ) as {
      name: string;
      store_id: number;
      finished_at: number;
    }[];
    expect(copy?.store_id).toBe(7);
    expect(result).toContain(`is in the copy ${copy?.name}`);
    const [[, , , dashes, name = '', ...words] = []] = splitCommands(result.split('\n').at(-1)!);
    const command = (await loadCommands()).get(name)!;
    const { ids, body } = parseWords(
      command,
      words.map((word) => (word === 'N' ? '1' : word)),
    );
    expect([dashes, ids, body]).toMatchObject(['--', ['7'], { shard: 1 }]);
    const by = String(body?.['before']);
    expect(Date.parse(`${by.replace(' ', 'T')}Z`)).toBeGreaterThanOrEqual(copy?.finished_at ?? 0);
    expect(await copiedBrands(bucket.objects)).toEqual([['one', 'two']]);
    world.expectPresent('after');
    const travels = world.cloudflare.calls.filter((call) => call.includes('time_travel'));
    expect(travels.map((call) => call.replace(/.*time_travel\/(\w+).*/, '$1'))).toEqual([
      'bookmark',
      'bookmark',
      'restore',
      'restore',
    ]);
  });

  it('does not touch a shard in the past while a deployment has lifted the fence', async () => {
    using _bucket = startBucket();
    const world = await createWorld();
    const { cloudflare, project } = world;
    // It dies when the shard is in the past, and somebody deploys with a file of their own.
    await restore(world, { fault: { call: /time_travel\/restore/, isDone: true } }).catch(
      () => undefined,
    );
    project.changeDeployment({ ...bucketOf, shards: 1 });
    cloudflare.endTurn();
    await project.deploy(cloudflare);
    await expect(restore(world)).rejects.toThrow('does not leave shard 0 alone');
    expect(cloudflare.calls.filter((call) => call.includes('time_travel'))).toEqual([]);
  });

  it.each<[string, Partial<WantedStore>, string]>([
    ['a time before the history', { at: beforeHistory - 1 }, 'too old'],
    ['a store that there is not', { storeId: 99 }, 'There is no store 99'],
    ['a shard that there is not', { shard: 9 }, 'There is no shard 9'],
  ])('refuses %s, and changes nothing', async (_which, wanted, message) => {
    const world = await createWorld();
    await expect(restore(world, { wanted })).rejects.toThrow(message);
    world.expectPresent(message);
    expect(world.cloudflare.calls.some((call) => call.startsWith('versions'))).toBe(false);
  });

  it('refuses an erased store', async () => {
    const world = await createWorld();
    world.run('directory', 'update stores set active = 0, erased_at = 1 where id = 7');
    await expect(restore(world)).rejects.toThrow('There is no store 7');
  });

  it('says so when the store was not in the shard then, and leaves the shard as it was', async () => {
    using bucket = startBucket();
    const world = await createWorld();
    await expect(restore(world, { wanted: { at: beforeHistory } })).rejects.toThrow(
      'Store 7 was not in shard 0 then',
    );
    world.expectPresent('absent');
    expect([...bucket.objects.keys()]).toEqual([]);
  });
});
