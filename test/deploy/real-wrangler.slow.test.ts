import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { bucketSettings, startBucket } from '../support/fakes/s3-bucket.ts';
import { serveAccount } from '../support/node/deploy/account-server.ts';
import { apiToken, identify, runSql } from '../support/node/deploy/fake-account.ts';
import { type Fault, FakeCloudflare } from '../support/node/deploy/fake-cloudflare.ts';
import { DeployProject } from '../support/node/deploy/project.ts';
import {
  copiedBrands,
  createRestoreWorld,
  restoredAt,
} from '../support/node/deploy/restore-world.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

function createProject() {
  const project = new DeployProject();
  cleanups.push(() => project.remove());
  return project;
}

/** An account behind HTTP. Its versions have ids in the form of the platform. */
async function createAccount(others?: Parameters<typeof serveAccount>[1]) {
  const cloudflare = new FakeCloudflare();
  cloudflare.versionId = (number) => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
  const server = await serveAccount(cloudflare, others);
  cleanups.push(server.close, () => cloudflare.timeTravel.remove());
  return cloudflare;
}

/** What an account has, without what differs in every run: the values of secrets, and digests of sources. */
const contentsOf = ({ account }: FakeCloudflare) => ({
  databases: Object.fromEntries(
    Object.entries(account.databases).map(([name, { statements, ...rest }]) => [
      name,
      { ...rest, statements: [...new Set(statements)].map((sql) => identify(sql)) },
    ]),
  ),
  namespaces: account.namespaces,
  queues: account.queues.toSorted(),
  buckets: account.buckets,
  workers: Object.fromEntries(
    Object.entries(account.workers).map(
      ([name, { secrets, traffic, tags, versions, restoring, regions, ...rest }]) => [
        name,
        {
          ...rest,
          consumers: rest.consumers.toSorted(),
          secrets: Object.keys(secrets).toSorted(),
          traffic: Object.values(traffic),
          versions: versions.length,
          tags: Object.keys(tags).length,
          restoring: Object.values(restoring),
          regions: Object.values(regions),
        },
      ],
    ),
  ),
});

/**
 * Expects what an account without faults has. A version whose upload was not confirmed is uploaded again, and nothing leads to the
 * first.
 */
function expectSame(cloudflare: FakeCloudflare, expected: FakeCloudflare) {
  const [{ workers, ...rest }, { workers: others, ...wanted }] = [cloudflare, expected].map(
    contentsOf,
  ) as [ReturnType<typeof contentsOf>, ReturnType<typeof contentsOf>];
  expect(rest).toEqual(wanted);
  expect(workers['store-api']).toMatchObject({
    ...others['store-api'],
    traffic: [100],
    versions: expect.any(Number),
    tags: expect.any(Number),
    deployments: expect.any(Number),
    restoring: expect.any(Array),
    regions: expect.any(Array),
  });
}

/** Calls that change the account, in the order in which a deployment makes them. */
const killedAt = [
  /^POST \S+\/d1\/database /,
  /^PATCH \S+\/d1\/database\//,
  /^POST \S+\/query .*CREATE TABLE/,
  /^POST \S+\/storage\/kv\/namespaces /,
  /^POST \S+\/queues /,
  /^POST \S+\/r2\/buckets /,
  /^POST \S+\/query .*sequences/,
  /^POST \S+\/assets\/upload/,
  /^PUT \S+\/workers\/scripts\/store-api\?/,
  /^POST \S+\/workers\/scripts\/store-api\/deployments /,
  /^PUT \S+\/domains\/records /,
  /^POST \S+\/consumers /,
  /^POST \S+\/query .*insert into shards/,
];

/** Of a release that brings shards. The last deployment of a version gives it all the traffic. */
const killedAtNewShards = [
  /^POST \S+\/d1\/database /,
  /^POST \S+\/queues /,
  /^POST \S+\/store-api\/versions/,
  /^POST \S+\/store-api\/deployments\S* .*"versions":\[\{[^}]*\}\]/,
  /^POST \S+\/consumers /,
  /^POST \S+\/query .*insert into shards/,
];

/** Answers of the platform to calls of wrangler: at the first release, and at later ones. */
const wranglerFaults: readonly Required<Pick<Fault, 'call' | 'status' | 'isDone'>>[] = [
  { call: /^PUT \S+\/workers\/scripts\/store-api\?/, status: 504, isDone: true },
  { call: /^POST \S+\/store-api\/versions/, status: 504, isDone: true },
  { call: /^POST \S+\/store-api\/deployments/, status: 504, isDone: true },
  { call: /^PUT \S+\/schedules /, status: 429, isDone: false },
];

/**
 * Deploys with a kill at one call of each kind in turn, before its effect or after it, each run after the one before. The last run
 * has no fault.
 */
async function deployKilled(
  project: DeployProject,
  cloudflare: FakeCloudflare,
  kinds: readonly RegExp[],
) {
  for (const [index, call] of kinds.entries()) {
    const fault = { call, isDone: index % 2 === 0, isKilled: true };
    const end = await project.deployWithWrangler(cloudflare, fault, '--take-over-lock');
    expect(end, `${call}: ${project.output}`).toBe('SIGKILL');
  }
  const end = await project.deployWithWrangler(cloudflare, undefined, '--take-over-lock');
  expect(end, project.output).toBe(0);
}

const alerts = { url: 'https://chat.example.com/hook/token-of-the-chat' };

describe('the real wrangler', () => {
  it('deploys the service itself into an empty account, by documented calls only', async () => {
    const project = createProject();
    project.useService();
    project.changeDeployment({ alerts });
    const cloudflare = await createAccount();
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    const { worker, watch, account } = cloudflare;
    expect(worker).toMatchObject({
      versions: [cloudflare.versionId(1)],
      traffic: { [cloudflare.versionId(1)]: 100 },
      host: 'api.store.example',
      crons: ['* * * * *'],
    });
    expect(worker?.consumers.toSorted()).toEqual(account.queues.toSorted());
    expect(watch?.crons).toEqual(['* * * * *']);
    expect(account.assets.length).toBeGreaterThan(100);
    const secrets = JSON.parse(readFileSync(project.secretsFile, 'utf8')) as Record<string, string>;
    expect(worker?.secrets).toEqual(secrets);
    for (const value of [...Object.values(secrets), apiToken, 'token-of-the-chat']) {
      expect(project.output).not.toContain(value);
    }
    const { id = '' } = account.databases['store-api-store-2'] ?? {};
    expect(runSql(account, id, 'select number from shard_identity')).toEqual([{ number: 2 }]);
    expect(
      runSql(account, id, "select count(*) > 10 as isSo from sqlite_master where type = 'trigger'"),
    ).toEqual([{ isSo: 1 }]);
  });

  it('leaves the account that the fake one leaves, after the first deployment and the second', async () => {
    const [project, twin] = [createProject(), createProject()];
    const cloudflare = await createAccount();
    const fake = new FakeCloudflare();
    for (const one of [project, twin]) one.changeDeployment({ alerts });
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));

    for (const one of [project, twin]) one.changeSource('export default { release: 2 };');
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));
    expect(cloudflare.worker?.traffic).toEqual({ [cloudflare.versionId(2)]: 100 });

    // The same once more changes nothing, and starts wrangler for the token only.
    const before = structuredClone(cloudflare.account);
    project.output = '';
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    expect(cloudflare.account).toEqual(before);
    expect(project.output.match(/(?<=^  )npx wrangler .*/gm)).toEqual([
      'npx wrangler auth token --json',
    ]);
  });

  it('deploys a Worker for each region as the fake one does, the first time and the second, and goes back and forward', async () => {
    const [project, twin] = [createProject(), createProject()];
    const cloudflare = await createAccount();
    const fake = new FakeCloudflare();
    for (const one of [project, twin]) one.changeDeployment({ alerts, placement: undefined });
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));
    const placed = { place: 'aws:eu-central-1', calls: [] };
    expect(contentsOf(cloudflare).workers['store-api-weur']).toMatchObject({
      host: '',
      crons: [],
      consumers: [],
      regions: [placed],
    });

    for (const one of [project, twin]) one.changeSource('export default { release: 2 };');
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));
    expect(contentsOf(cloudflare).workers['store-api-weur']).toMatchObject({
      regions: [placed, placed],
    });

    const [first, second] = [1, 2].map(cloudflare.versionId);
    const traffic = () =>
      ['store-api', 'store-api-weur', 'store-api-enam'].map((name) =>
        Object.keys(cloudflare.account.workers[name]?.traffic ?? {}).join(),
      );
    const commands = [
      ...project.output.matchAll(/npx (wrangler versions deploy \S+@100% --yes --config \S+)$/gm),
    ];
    for (const [, command = ''] of commands.slice(-3)) {
      expect(await project.runWithWrangler(cloudflare, command.split(' ')), project.output).toBe(0);
    }
    expect(traffic()).toEqual([first, first, first]);
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    expect(traffic()).toEqual([second, second, second]);
  });

  it(
    'leaves the same Workers of regions when it is killed at calls of each kind, and run again after each kill',
    { timeout: 600_000 },
    async () => {
      const project = createProject();
      project.changeDeployment({ placement: undefined });
      const cloudflare = await createAccount();
      const killed = async (kinds: readonly RegExp[]) => {
        await deployKilled(project, cloudflare, kinds);
        const { workers } = contentsOf(cloudflare);
        for (const region of ['store-api-weur', 'store-api-enam']) {
          const { versions = [], traffic } = cloudflare.account.workers[region] ?? {};
          expect(traffic).toEqual({ [versions.at(-1) ?? '']: 100 });
          expect(workers[region]).toMatchObject({ host: '', crons: [], consumers: [] });
        }
        expect(workers['store-api']?.regions.at(-1)?.calls).toEqual([
          'store-api-weur',
          'store-api-enam',
        ]);
      };
      await killed([
        /^PUT \S+\/workers\/scripts\/store-api-weur\?/,
        /^PUT \S+\/workers\/scripts\/store-api-enam\?/,
        /^PUT \S+\/workers\/scripts\/store-api\?/,
      ]);
      project.changeSource('export default { release: 2 };');
      await killed([
        /^POST \S+\/store-api-weur\/versions/,
        /^POST \S+\/store-api-enam\/versions/,
        /^POST \S+\/store-api\/versions/,
        /^POST \S+\/store-api-weur\/deployments/,
        /^POST \S+\/store-api-enam\/deployments/,
        /^GET \S+\/ready\?region=weur/,
        /^GET \S+\/ready\?region=enam/,
        /^POST \S+\/store-api-weur\/deployments\S* .*"versions":\[\{[^}]*\}\]/,
        /^POST \S+\/store-api-enam\/deployments\S* .*"versions":\[\{[^}]*\}\]/,
      ]);
    },
  );

  it('imports the schema of a new database where the platform cuts it within triggers', async () => {
    const project = createProject();
    project.useService();
    project.changeDeployment({ shards: ['weur'] });
    const cloudflare = await createAccount();
    cloudflare.isSplitWrongly = true;
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    expect(project.output.match(/npx wrangler d1 execute \S+/g)).toEqual([
      'npx wrangler d1 execute DIRECTORY',
      'npx wrangler d1 execute STORE_0',
    ]);
    const whole = createProject();
    whole.useService();
    whole.changeDeployment({ shards: ['weur'] });
    const twin = new FakeCloudflare();
    await whole.deploy(twin);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(twin));
  });

  it(
    'leaves the same account when it is killed at one call of each kind, and run again after each kill',
    { timeout: 1_200_000 },
    async () => {
      const twin = createProject();
      const fake = new FakeCloudflare();
      await twin.deploy(fake);
      const project = createProject();
      const cloudflare = await createAccount();
      await deployKilled(project, cloudflare, killedAt);
      expectSame(cloudflare, fake);
      expect(cloudflare.worker?.traffic).toEqual({
        [cloudflare.worker?.versions.at(-1) ?? '']: 100,
      });
      expect(cloudflare.worker?.secrets).toEqual(
        JSON.parse(readFileSync(project.secretsFile, 'utf8')),
      );
    },
  );

  it(
    'adds shards to an account with stores, killed at calls of each kind, and run again after each kill',
    { timeout: 600_000 },
    async () => {
      const [project, twin] = [createProject(), createProject()];
      const cloudflare = await createAccount();
      const fake = new FakeCloudflare();
      // The first release is that of the fake wrangler, which leaves the same.
      await project.deploy(cloudflare);
      await twin.deploy(fake);
      const shards = ['enam', 'enam', 'weur', 'weur', 'eeur', 'apac'];
      for (const one of [project, twin]) one.changeDeployment({ shards });
      await twin.deploy(fake);
      await deployKilled(project, cloudflare, killedAtNewShards);
      expectSame(cloudflare, fake);
      expect(cloudflare.worker?.consumers.toSorted()).toEqual(cloudflare.account.queues.toSorted());
      const { id = '' } = cloudflare.account.databases['store-api-directory'] ?? {};
      expect(
        runSql(cloudflare.account, id, 'select number, region from shards order by number'),
      ).toEqual(shards.map((region, number) => ({ number, region })));
    },
  );

  it(
    'goes back to the version before by the printed command, and forward by a deployment, killed before and after each effect',
    { timeout: 600_000 },
    async () => {
      const project = createProject();
      const cloudflare = await createAccount();
      await project.deploy(cloudflare);
      project.changeSource('export default { release: 2 };');
      expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
      const [first = '', second = ''] = cloudflare.worker?.versions ?? [];
      const released = contentsOf(cloudflare);
      const call = /^POST \S+\/workers\/scripts\/store-api\/deployments/;
      for (const isDone of [false, true]) {
        const fault = { call, isDone, isKilled: true };
        expect(await project.goBackWithWrangler(cloudflare, fault), project.output).toBe('SIGKILL');
        expect(cloudflare.worker?.traffic).toEqual({ [isDone ? first : second]: 100 });
      }
      expect(await project.goBackWithWrangler(cloudflare), project.output).toBe(0);
      expect(cloudflare.worker?.traffic).toEqual({ [first]: 100 });

      for (const isDone of [false, true]) {
        const fault = { call, isDone, isKilled: true };
        const end = await project.deployWithWrangler(cloudflare, fault, '--take-over-lock');
        expect(end, project.output).toBe('SIGKILL');
      }
      const end = await project.deployWithWrangler(cloudflare, undefined, '--take-over-lock');
      expect(end, project.output).toBe(0);
      expect(cloudflare.worker?.traffic).toEqual({ [second]: 100 });
      const { workers, ...rest } = contentsOf(cloudflare);
      const { workers: before, ...others } = released;
      expect(rest).toEqual(others);
      const worker = { ...before['store-api'], deployments: expect.any(Number) };
      expect(workers['store-api']).toEqual(worker);
    },
  );

  it(
    'restores a store by the command itself, killed at calls of each kind, and run again after each kill',
    { timeout: 600_000 },
    async () => {
      using bucket = startBucket();
      const project = createProject();
      const cloudflare = await createAccount({
        [new URL(bucketSettings.COPIES_URL).host]: bucket.fetch,
      });
      const world = await createRestoreWorld(project, cloudflare);
      project.useCommands();
      const wanted = ['--id', '7', '--at', new Date(restoredAt).toISOString()];
      const restore = (fault?: Fault, ...flags: string[]) => {
        project.output = '';
        return project.restoreWithWrangler(cloudflare, [...wanted, ...flags], fault);
      };
      /** Where the shard comes back to, once a run has written it down. */
      const present = () =>
        /"present": ?"([^"]+)"/.exec(readFileSync(project.stateFile, 'utf8'))?.[1];
      const faults: (() => Omit<Fault, 'isKilled'>)[] = [
        () => ({ call: /^POST \S+\/query .*select shard from stores/, isDone: false }),
        () => ({ call: /^GET \S+\/bookmark\?timestamp/, isDone: true }),
        () => ({ call: /^POST \S+\/store-api\/versions/, isDone: true }),
        () => ({ call: /^POST \S+\/store-api\/deployments/, isDone: true }),
        () => ({ call: /^GET \S+\/bookmark(?!\?)/, isDone: true }),
        () => ({ call: /^POST \S+\/time_travel\/restore/, isDone: true }),
        () => ({ call: /^POST \S+\/query .*store_copies/, isDone: false }),
        () => ({ call: new RegExp(`^POST \\S+/restore\\?bookmark=${present()}`), isDone: true }),
        () => ({ call: /^POST \S+\/store-api\/deployments/, isDone: false }),
      ];
      for (const fault of faults) {
        const end = await restore({ ...fault(), isKilled: true }, '--take-over-lock');
        expect(end, `${fault().call}: ${project.output}`).toBe('SIGKILL');
      }
      // A process that was killed keeps its turn of deployments.
      expect(await restore(), project.output).toBe(1);
      expect(project.output).toContain('--take-over-lock');
      expect(project.output).toContain('Run it again: it goes on where it stopped.');
      expect(await restore(undefined, '--take-over-lock'), project.output).toBe(0);
      expect(project.output).toMatch(
        /Store 7 of 2026-03-05T14:00:00\.000Z is in the copy \S+\. Bring it back/,
      );
      expect(project.output).toMatch(
        /^npm run operator -- import-store 7 --shard N --before '[-\d]+ [:\d]+' --reason/m,
      );
      world.expectPresent('restored');
      const copies = await copiedBrands(bucket.objects);
      expect(copies.length).toBeGreaterThan(0);
      for (const names of copies) expect(names).toEqual(['one', 'two']);

      // Without a fault: it waits a minute between the fence and the first bookmark, and shows no secret.
      bucket.objects.clear();
      expect(await restore(), project.output).toBe(0);
      expect(project.output).toMatch(
        /versions deploy [^]*\(waits 60000 ms\)[^]*Shard 0 comes back to bookmark [^]*time_travel\/restore/,
      );
      expect(await copiedBrands(bucket.objects)).toEqual([['one', 'two']]);
      const secrets = JSON.parse(readFileSync(project.secretsFile, 'utf8')) as object;
      for (const value of [...Object.values(secrets), apiToken]) {
        expect(project.output).not.toContain(value);
      }
      world.expectPresent('again');

      // Given up while the shard is in the past: it comes forward, and the bucket gets nothing.
      bucket.objects.clear();
      const inPast = { call: /^POST \S+\/time_travel\/restore/, isDone: true, isKilled: true };
      expect(await restore(inPast), project.output).toBe('SIGKILL');
      const flags = ['--give-up', '--take-over-lock'];
      expect(await restore(undefined, ...flags), project.output).toBe(0);
      expect(project.output).toContain('Given up: the shard is as it was before');
      world.expectPresent('given up');
      expect(bucket.objects.size).toBe(0);
    },
  );

  it('refuses a restore whose arguments are wrong, before any call', async () => {
    const project = createProject();
    project.useCommands();
    const cloudflare = await createAccount();
    const [id, at] = [
      ['--id', '7'],
      ['--at', new Date(restoredAt).toISOString()],
    ];
    const wrong: (readonly [readonly string[], string])[] = [
      [[], '--id must be the number of a store.\n--at must be a time such as'],
      [['--id', '7.5', ...at], '--id must be the number of a store.'],
      [['--id', '-7', ...at], '--id'],
      [[...id, '--at', 'yesterday'], '--at must be a time such as 2031-03-05T14:00:00Z.'],
      [[...id, '--at', '2031-03-05T14:00:00'], '--at must be a time such as'],
      [[...id, '--at', '2999-01-01T00:00:00Z'], '--at must be in the past.'],
      [[...id, ...at, '--shard', 'first'], '--shard must be the number of a shard.'],
      [[...id, ...at, '--stores', '8'], "Unknown option '--stores'"],
      [[...id, ...at, '8'], 'Unexpected argument'],
      [[...id, ...at, '--file', 'other.json'], 'other.json cannot be read.'],
      [[...id, ...at], 'Deploy from this folder first: it knows no account.'],
    ];
    for (const [args, message] of wrong) {
      project.output = '';
      expect(await project.restoreWithWrangler(cloudflare, args), message).toBe(1);
      expect(project.output).toMatch(/^npm run restore-store: /);
      expect(project.output).toContain(message);
      expect(cloudflare.calls).toEqual([]);
    }
  });

  it(
    'ends with the same account after answers of 429 and 504 at calls of wrangler',
    { timeout: 600_000 },
    async () => {
      const [project, twin] = [createProject(), createProject()];
      const cloudflare = await createAccount();
      const fake = new FakeCloudflare();
      for (const [index, { call, status, isDone }] of wranglerFaults.entries()) {
        for (const one of [project, twin]) {
          one.changeSource(`export default { release: ${index} };`);
        }
        await twin.deploy(fake);
        const fault = { call, isDone, status };
        const end = await project.deployWithWrangler(cloudflare, fault);
        // The fault was met; wrangler repeats some calls itself.
        expect(cloudflare.fault, `${call}: ${project.output}`).toBeUndefined();
        if (end !== 0) {
          expect(end, project.output).toBe(1);
          expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
        }
        expectSame(cloudflare, fake);
        const newest = cloudflare.worker?.versions.at(-1) ?? '';
        expect(cloudflare.worker?.traffic).toEqual({ [newest]: 100 });
      }
    },
  );

  it('deploys 1,000 shards within three minutes', async () => {
    const count = 1000;
    const project = createProject();
    project.changeDeployment({ shards: Array.from({ length: count }, () => 'enam') });
    const cloudflare = await createAccount();
    const begin = performance.now();
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    expect(performance.now() - begin).toBeLessThan(180_000);
    expect(Object.keys(cloudflare.account.databases)).toHaveLength(count + 1);
    expect(cloudflare.widest).toBeLessThanOrEqual(10);
  });
});
