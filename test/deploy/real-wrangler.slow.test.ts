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
  cleanups.push(server.close);
  return cloudflare;
}

/**
 * What an account has, without what differs in every run: the values of secrets, and digests of
 * sources.
 */
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
      ([name, { secrets, traffic, tags, versions, restoring, places, ...rest }]) => [
        name,
        {
          ...rest,
          consumers: rest.consumers.toSorted(),
          secrets: Object.keys(secrets).toSorted(),
          traffic: Object.values(traffic),
          versions: versions.length,
          tags: Object.keys(tags).length,
          restoring: Object.values(restoring),
          places: Object.values(places),
        },
      ],
    ),
  ),
});

/**
 * Expects what an account without faults has. A version whose upload was not confirmed is uploaded
 * again, and nothing leads to the first.
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
    places: expect.any(Array),
  });
}

/**
 * How runs end, one after the other: killed with the wrangler that they had started, or by an
 * answer of the platform. Whether it did what it was asked for is unknown in each. `deploy.test.ts`
 * has every call of the deployment itself, and every command.
 */
const ends: readonly Omit<Fault, 'isKilled'>[] = [
  { call: /^POST \S+\/query .*CREATE TABLE/, isDone: true },
  { call: /^POST \S+\/consumers /, isDone: false },
  { call: /^POST \S+\/store-api\/versions/, isDone: true, status: 504 },
  { call: /^POST \S+\/store-api\/versions/, isDone: true },
  { call: /^PUT \S+\/schedules /, isDone: false, status: 429 },
  { call: /^POST \S+\/store-api\/deployments/, isDone: true },
];

const alerts = { url: 'https://chat.example.com/hook/token-of-the-chat' };

describe('the real wrangler', () => {
  it('deploys the service itself into an empty account by documented calls only, also where the platform cuts its schema within triggers', async () => {
    const [project, twin] = [createProject(), createProject()];
    for (const one of [project, twin]) {
      one.useService();
      one.changeDeployment({ alerts, shards: 2 });
    }
    const cloudflare = await createAccount();
    cloudflare.isSplitWrongly = true;
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    // Shards are set up side by side.
    const [first, ...shards] = project.output.match(/npx wrangler d1 execute \S+/g) ?? [];
    expect([first, ...shards.toSorted()]).toEqual([
      'npx wrangler d1 execute DIRECTORY',
      'npx wrangler d1 execute STORE_0',
      'npx wrangler d1 execute STORE_1',
    ]);
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
    const { id = '' } = account.databases['store-api-store-1'] ?? {};
    expect(runSql(account, id, 'select number from shard_identity')).toEqual([{ number: 1 }]);
    expect(
      runSql(account, id, "select count(*) > 10 as isSo from sqlite_master where type = 'trigger'"),
    ).toEqual([{ isSo: 1 }]);
    const fake = new FakeCloudflare();
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));
  });

  it('leaves the account that the fake one leaves, first and after a release with another shard, and goes back by the printed command', async () => {
    const [project, twin] = [createProject(), createProject()];
    const cloudflare = await createAccount();
    const fake = new FakeCloudflare();
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));

    for (const one of [project, twin]) {
      one.changeSource('export default { release: 2 };');
      one.changeDeployment({ shards: 4 });
    }
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    await twin.deploy(fake);
    expect(contentsOf(cloudflare)).toEqual(contentsOf(fake));
    expect(cloudflare.worker?.consumers.toSorted()).toEqual(cloudflare.account.queues.toSorted());
    const [first, second] = [1, 2].map(cloudflare.versionId);
    const traffic = () => Object.keys(cloudflare.worker?.traffic ?? {}).join();
    expect(traffic()).toEqual(second);

    // The same once more changes nothing, and starts wrangler for the token and the triggers only.
    const before = contentsOf(cloudflare);
    project.output = '';
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    expect(contentsOf(cloudflare)).toEqual(before);
    expect(project.output.match(/(?<=^  )npx wrangler \w+ \w+/gm)).toEqual([
      'npx wrangler auth token',
      'npx wrangler triggers deploy',
    ]);
    expect(await project.goBackWithWrangler(cloudflare), project.output).toBe(0);
    expect(traffic()).toEqual(first);
  });

  it(
    'leaves the same account when runs are killed with it or get 429 and 504, each run after the one before',
    { timeout: 600_000 },
    async () => {
      const project = createProject();
      const cloudflare = await createAccount();
      for (const [index, end] of ends.entries()) {
        project.changeSource(`export default { release: ${index} };`);
        const isKilled = end.status === undefined;
        cloudflare.endTurn();
        const ended = await project.deployWithWrangler(cloudflare, { ...end, isKilled });
        // The fault was met; wrangler repeats some calls itself.
        expect(cloudflare.fault, `${end.call}: ${project.output}`).toBeUndefined();
        if (isKilled) expect(ended, `${end.call}: ${project.output}`).toBe('SIGKILL');
      }
      cloudflare.endTurn();
      const ended = await project.deployWithWrangler(cloudflare);
      expect(ended, project.output).toBe(0);
      const fake = new FakeCloudflare();
      await createProject().deploy(fake);
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
    'restores a store by the command itself, killed while the shard is in the past and while it is given up',
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
      const inPast = { call: /^POST \S+\/time_travel\/restore/, isDone: true, isKilled: true };
      expect(await restore(inPast), project.output).toBe('SIGKILL');
      // It waited a minute between the fence and the first bookmark.
      expect(project.output).toMatch(
        /versions deploy [^]*\(waits 60000 ms\)[^]*Shard 0 comes back to bookmark [^]*time_travel\/restore/,
      );
      // A process that was killed keeps its lock of deployments.
      expect(await restore(), project.output).toBe(1);
      expect(project.output).toContain('update deploy_locks set until = 0');
      cloudflare.endTurn();
      expect(project.output).toContain('Run it again: it goes on where it stopped.');

      // Given up, it only brings the shard forward: the bucket gets nothing.
      const [, present] =
        /"present": ?"([^"]+)"/.exec(readFileSync(project.restoreFile, 'utf8')) ?? [];
      const call = new RegExp(`^POST \\S+/restore\\?bookmark=${present}`);
      const forward = { call, isDone: true, isKilled: true };
      const givenUp = await restore(forward, '--give-up');
      expect(givenUp, project.output).toBe('SIGKILL');
      expect(bucket.objects.size).toBe(0);

      cloudflare.endTurn();
      expect(await restore(), project.output).toBe(0);
      expect(project.output).toMatch(
        /Store 7 of 2026-03-05T14:00:00\.000Z is in the copy \S+\. Restore it/,
      );
      expect(project.output).toMatch(
        /^npm run operator -- restore-store 7 --shard N --before '[-\d]+ [:\d]+' --reason/m,
      );
      expect(await copiedBrands(bucket.objects)).toEqual([['one', 'two']]);
      const secrets = JSON.parse(readFileSync(project.secretsFile, 'utf8')) as object;
      for (const value of [...Object.values(secrets), apiToken]) {
        expect(project.output).not.toContain(value);
      }
      world.expectPresent('restored');
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
    // A process names all that is wrong with its arguments.
    const wrong: (readonly [readonly string[], ...string[]])[] = [
      [[], '--id must be the number of a store.\n--at must be a time such as'],
      [
        ['--id', '7.5', '--at', 'yesterday', '--shard', 'first'],
        '--id must be the number of a store.',
        '--at must be a time such as 2031-03-05T14:00:00Z.',
        '--shard must be the number of a shard.',
      ],
      [['--id', '-7', ...at], '--id'],
      [['--id', '0', '--at', '2031-03-05T14:00:00'], '--id must be', '--at must be a time such as'],
      [[...id, '--at', '2999-01-01T00:00:00Z'], '--at must be in the past.'],
      [[...id, ...at, '--stores', '8'], "Unknown option '--stores'"],
      [[...id, ...at, '8'], 'Unexpected argument'],
      [[...id, ...at, '--file', 'other.json'], 'other.json cannot be read.'],
    ];
    for (const [args, ...messages] of wrong) {
      project.output = '';
      expect(await project.restoreWithWrangler(cloudflare, args), project.output).toBe(1);
      expect(project.output).toMatch(/^npm run copy-store: /);
      for (const message of messages) expect(project.output).toContain(message);
      expect(cloudflare.calls).toEqual([]);
    }
    expect(await project.restoreWithWrangler(cloudflare, [...id, ...at])).toBe(1);
    expect(project.output).toContain('the account has no store-api-directory');
  });

  it('deploys 1,000 shards within three minutes', async () => {
    const count = 1000;
    const project = createProject();
    project.changeDeployment({ shards: count });
    const cloudflare = await createAccount();
    const begin = performance.now();
    expect(await project.deployWithWrangler(cloudflare), project.output).toBe(0);
    expect(performance.now() - begin).toBeLessThan(180_000);
    expect(Object.keys(cloudflare.account.databases)).toHaveLength(count + 1);
    expect(cloudflare.widest).toBeLessThanOrEqual(10);
  });
});
