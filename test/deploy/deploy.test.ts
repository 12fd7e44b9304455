import { existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { deploy, describeResult, printPlan } from '../../src/deploy/run-deployment.ts';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';
import { accountId, apiToken, runSql } from '../support/node/deploy/fake-account.ts';
import { type Fault, FakeCloudflare } from '../support/node/deploy/fake-cloudflare.ts';
import { DeployProject } from '../support/node/deploy/project.ts';
import { isSlow, runsOf } from '../support/slow.ts';

const projects: DeployProject[] = [];

afterEach(() => {
  for (const project of projects.splice(0)) project.remove();
});

function createProject() {
  const project = new DeployProject();
  projects.push(project);
  return project;
}

/** A project that was deployed once, with these changes of its deployment file. */
async function createDeployed(changes: object = {}) {
  const project = createProject();
  project.changeDeployment(changes);
  const cloudflare = new FakeCloudflare();
  await project.deploy(cloudflare);
  return { project, cloudflare };
}

const readSecrets = ({ secretsFile }: DeployProject) =>
  JSON.parse(readFileSync(secretsFile, 'utf8')) as Record<string, string>;

/** Calls that change the account, besides the lock of the run. */
const mutating =
  /create|set(?! until)|execute|upload|versions deploy|triggers|^deploy|PATCH|POST(?!.*"select|.*deploy_locks)/;

/** Asks or migrates a database. */
const isMigration = (call: string) => /query.*d1_migrations/.test(call);

/** What an account has after a deployment, without what differs where an upload was repeated. */
const essence = ({ account, worker }: FakeCloudflare) => ({
  ...account,
  databases: Object.fromEntries(
    Object.entries(account.databases).map(([name, { id, location, statements }]) => [
      name,
      { id, location, statements: [...new Set(statements)] },
    ]),
  ),
  queues: account.queues.toSorted(),
  workers: { host: worker?.host, consumers: worker?.consumers, crons: worker?.crons },
});

/** All of them in a slow run, else every fifth; both outcomes of a call come in turns. */
const sampled = <T>(all: readonly T[]) => all.filter((_one, index) => index % runsOf(1, 5) === 0);

/** Faults of a call. */
const faults: [string, Omit<Fault, 'call'>][] = [
  ['429', { isDone: false, status: 429 }],
  ['504 after the effect', { isDone: true, status: 504 }],
  ['504 without it', { isDone: false, status: 504 }],
  ['a kill before the effect', { isDone: false, isKilled: true }],
  ['a kill after it', { isDone: true, isKilled: true }],
];

describe.skipIf(isSlow)('the first deployment', () => {
  it('creates, migrates, uploads, asks and opens, in this order', async () => {
    const { cloudflare } = await createDeployed();
    const landmarks: readonly [string, RegExp][] = [
      ['account', /\/accounts\?/],
      ['host', /\/workers\/domains/],
      ['database', /^POST \S+\/d1\/database /],
      ['namespace', /^POST \S+\/namespaces /],
      ['queue', /^POST \S+\/queues /],
      ['migration', /CREATE TABLE/],
      ['lock', /insert into deploy_locks/],
      ['bucket', /^POST \S+\/buckets /],
      ['version', /^deploy /],
      ['ready', /\/ready$/],
      ['open', /insert into shards/],
      ['end of the lock', /update deploy_locks/],
    ];
    const found = cloudflare.calls.flatMap(
      (call) => landmarks.find(([, pattern]) => pattern.test(call))?.[0] ?? [],
    );
    expect(found.filter((name, index) => name !== found[index - 1])).toEqual([
      'account',
      'host',
      'database',
      'namespace',
      'queue',
      // A new directory has no table for it yet.
      'lock',
      'migration',
      'lock',
      'bucket',
      'migration',
      'version',
      'ready',
      'open',
      'end of the lock',
    ]);
  });

  it('puts every database into the location, with ids of its own, and the Worker near them', async () => {
    const { cloudflare } = await createDeployed();
    const { databases, buckets } = cloudflare.account;
    expect(Object.entries(databases).map(([name, { location }]) => [name, location])).toEqual([
      ['store-api-directory', 'weur'],
      ['store-api-store-0', 'weur'],
      ['store-api-store-1', 'weur'],
      ['store-api-store-2', 'weur'],
    ]);
    expect(cloudflare.worker?.places).toEqual({ 'version-1': 'aws:eu-central-1' });
    expect(databases['store-api-store-2']?.statements.join()).toContain(String(2 * 2 ** 36));
    expect(databases['store-api-directory']?.statements.slice(1)).toEqual([
      'insert into shards (number) values (0), (1), (2) on conflict do nothing',
    ]);
    expect(Object.values(buckets).map(({ rules }) => rules)).toEqual(
      Object.values(buckets).map(() => [
        expect.objectContaining({
          deleteObjectsTransition: { condition: { type: 'Age', maxAge: 62 * 86_400 } },
        }),
        // Uploaded tables that wait for their import.
        expect.objectContaining({
          conditions: { prefix: 'tables/' },
          deleteObjectsTransition: { condition: { type: 'Age', maxAge: 86_400 } },
        }),
      ]),
    );
  });

  it('generates different random secrets once, in a file that only the owner reads, and prints none', async () => {
    const { project, cloudflare } = await createDeployed();
    const secrets = readSecrets(project);
    const values = Object.values(secrets);
    expect(Object.keys(secrets)).toEqual(
      expect.arrayContaining(['SEALING_KEY', 'TOKEN_KEY', 'READY_KEY']),
    );
    expect(new Set(values).size).toBe(values.length);
    expect(statSync(project.secretsFile).mode & 0o777).toBe(0o600);
    expect(cloudflare.worker?.secrets).toEqual(secrets);
    const printed = `${project.output}${cloudflare.calls.join('\n')}`;
    for (const value of [...values, apiToken]) expect(printed).not.toContain(value);
  });
});

describe.skipIf(isSlow)('the link of the first operator', () => {
  it.each([
    [
      'is printed while there is none',
      () => Promise.resolve(new Response('', { status: 200 })),
      true,
    ],
    [
      'is printed while the service does not answer',
      () => Promise.reject(new Error('ENOTFOUND')),
      true,
    ],
    [
      'is not printed once there is one (404)',
      () => Promise.resolve(new Response('', { status: 404 })),
      false,
    ],
  ])('%s', async (_case, fetch, isPrinted) => {
    const { project } = await createDeployed();
    const token = readSecrets(project).SETUP_TOKEN ?? '';
    const release = { version: 'version-2', previous: 'version-1' };
    const result = await describeResult(project.createRun({ fetch }), release, true);
    expect(result).toMatch(/^Back .*: npx wrangler versions deploy version-1@100% --yes/m);
    expect(token.length).toBeGreaterThanOrEqual(32);
    expect(result.includes(`/setup?token=${encodeURIComponent(token)}`)).toBe(isPrinted);
    expect(result.includes('Operators sign in at')).toBe(!isPrinted);
    // A log keeps no secret, and says where the link is.
    const logged = await describeResult(project.createRun({ fetch }), release, false);
    expect(logged).not.toContain(token);
    expect(logged.includes('SETUP_TOKEN of ')).toBe(isPrinted);
  });
});

describe('a deployment that loses its network', () => {
  it('goes on where it stopped, whatever call was lost, before or after it took effect', async () => {
    const { cloudflare: reference } = await createDeployed();
    const losses = reference.calls.flatMap((_call, index) =>
      [false, true].map((isDone) => ({ call: index + 1, isDone })),
    );
    expect(losses.length).toBeGreaterThan(60);
    for (const loss of sampled(losses)) {
      const project = createProject();
      const cloudflare = new FakeCloudflare();
      const call = reference.calls[loss.call - 1] ?? '';
      const error = await project.deploy(cloudflare, loss).then(() => '', String);
      // A host is asked again, and a queue or bucket whose creation was not confirmed is looked
      // for.
      const isMended = /^GET https:\/\/api\.store|update deploy_locks/.test(call);
      if (!isMended) expect(error, JSON.stringify(loss)).toContain('run npm run deploy again');
      const secretsBefore = existsSync(project.secretsFile) ? readSecrets(project) : {};
      await project.deploy(cloudflare);
      const { worker } = cloudflare;
      expect(essence(cloudflare), JSON.stringify(loss)).toEqual(essence(reference));
      expect(worker?.traffic).toEqual({ [worker?.versions.at(-1) ?? '']: 100 });
      expect(worker?.secrets).toEqual(readSecrets(project));
      expect(readSecrets(project)).toMatchObject(secretsBefore);
      project.remove();
    }
  });

  it.each(faults)('ends with the same account after %s at any call', async (what, how) => {
    const { cloudflare: reference } = await createDeployed();
    // Each call has one of the faults, in turns. That it is lost is tried at all above.
    const turn = faults.findIndex(([name]) => name === what);
    const calls = sampled(reference.calls.map((_call, index) => index + 1));
    for (const call of calls.filter((_one, index) => index % faults.length === turn)) {
      const project = createProject();
      const cloudflare = new FakeCloudflare();
      const ended = await project.deploy(cloudflare, { ...how, call }).then(
        () => 'done',
        (error: Error) => error.message,
      );
      if (how.isKilled) expect(ended).toBe('SIGKILL');
      if (how.isKilled) cloudflare.endTurn();
      await project.deploy(cloudflare);
      expect(essence(cloudflare), `${call}`).toEqual(essence(reference));
      expect(cloudflare.worker?.secrets).toEqual(readSecrets(project));
      project.remove();
    }
  });

  it('keeps a ready version under full traffic in a later release, whatever call was lost', async () => {
    const { project, cloudflare } = await createDeployed();
    const { worker } = cloudflare;
    const changeSource = () =>
      project.changeSource(`export default { after: ${worker?.versions.length} };`);
    changeSource();
    await project.deploy(cloudflare);
    const calls = cloudflare.calls.map((_call, index) => index + 1);
    for (const call of sampled(calls)) {
      for (const isDone of [false, true]) {
        const before = worker?.versions.length ?? 0;
        changeSource();
        await project.deploy(cloudflare, { call, isDone }).catch(() => undefined);
        expect(Object.values(worker?.traffic ?? {})).toContain(100);
        await project.deploy(cloudflare);
        expect(worker?.traffic).toEqual({ [worker?.versions.at(-1) ?? '']: 100 });
        expect(worker?.versions).toHaveLength(before + 1);
      }
    }
  });

  it('adds shards to an account with stores, at whatever call the run is killed', async () => {
    const shards = 5;
    const createGrowing = async () => {
      const created = await createDeployed();
      created.project.changeDeployment({ shards });
      return created;
    };
    const { project: whole, cloudflare: reference } = await createGrowing();
    await whole.deploy(reference);
    for (const call of sampled(reference.calls.map((_call, index) => index + 1))) {
      const { project, cloudflare } = await createGrowing();
      const fault = { call, isDone: call % 2 === 0, isKilled: true };
      await expect(project.deploy(cloudflare, fault)).rejects.toThrow('SIGKILL');
      cloudflare.endTurn();
      await project.deploy(cloudflare);
      const { account, worker } = cloudflare;
      expect(essence(cloudflare), `${call}`).toEqual(essence(reference));
      expect(worker?.traffic).toEqual({ [worker?.versions.at(-1) ?? '']: 100 });
      const { id = '' } = account.databases['store-api-directory'] ?? {};
      expect(runSql(account, id, 'select number from shards order by number')).toEqual(
        Array.from({ length: shards }, (_, number) => ({ number })),
      );
      project.remove();
    }
  });
});

describe.skipIf(isSlow)('a later run', () => {
  it('changes nothing if nothing changed, and asks each database once', async () => {
    const { project, cloudflare } = await createDeployed();
    const before = structuredClone(essence(cloudflare));
    await project.deploy(cloudflare);
    expect(essence(cloudflare)).toEqual(before);
    expect(cloudflare.worker).toMatchObject({ versions: ['version-1'], deployments: 1 });
    expect(cloudflare.calls.filter((call) => call.startsWith('versions'))).toEqual([]);
    // One call for each database.
    expect(cloudflare.calls.filter(isMigration)).toHaveLength(4);
  });

  it('shifts the traffic only after the new version was ready beside the old one', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { release: 2 };');
    await project.deploy(cloudflare);
    expect(
      cloudflare.calls
        .filter((call) => /^(?:versions|triggers|deploy) |\/ready$/.test(call))
        .map((call) => call.replace(/ --(?:yes|config|secrets-file) .*/, '')),
    ).toEqual([
      'versions upload',
      'versions deploy version-2@0% version-1@100%',
      'GET https://api.store.example/ready',
      'versions deploy version-2@100%',
      'triggers deploy',
    ]);
  });

  it('leaves the traffic where it is if the new version is not ready, and goes on when it is', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { release: 2 };');
    cloudflare.unready.add('version-2');
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      /Step 13.*Version version-2 is not ready: status 503.*store_0/s,
    );
    expect(cloudflare.worker?.traffic).toEqual({ 'version-2': 0, 'version-1': 100 });
    cloudflare.unready.clear();
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.traffic).toEqual({ 'version-2': 100 });
    expect(cloudflare.worker?.versions).toHaveLength(2);
  });

  it('asks about many shards in parts, and gives no traffic while a shard of the last part is ill', async () => {
    const { project, cloudflare } = await createDeployed();
    Object.assign(cloudflare, { shardsPerAnswer: 2, illShard: 2 });
    cloudflare.unready.add('version-2');
    project.changeSource('export default { release: 2 };');
    await expect(project.deploy(cloudflare)).rejects.toThrow(/version-2 is not ready.*store_2/s);
    const asked = cloudflare.calls.filter((call) => call.includes('/ready'));
    expect(asked.slice(-2)).toEqual([
      'GET https://api.store.example/ready',
      'GET https://api.store.example/ready?from_shard=2',
    ]);
    // An ill shard of the live version does not block a mend.
    cloudflare.unready.add('version-1');
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.traffic).toEqual({ 'version-2': 100 });
    expect(project.output).toContain('Not ready, as in the live version: store_2.');
  });

  it('gives the traffic to the same release again after an operator went back', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { release: 2 };');
    await project.deploy(cloudflare);
    // The command that the deployment prints.
    Object.assign(cloudflare.worker ?? {}, { traffic: { 'version-1': 100 } });
    await project.deploy(cloudflare);
    expect(cloudflare.worker).toMatchObject({
      versions: ['version-1', 'version-2'],
      traffic: { 'version-2': 100 },
    });
    expect(cloudflare.calls).toContain('GET https://api.store.example/ready');
    expect(project.output).toContain('Version version-2 is the same, and not live.');
  });

  it('lists what it changes for callers, and is refused before any change if it breaks a promise', async () => {
    const { project, cloudflare } = await createDeployed();
    const live = structuredClone(getOpenApiDocument('Service', '/v2'));
    const [path = ''] = Object.keys(live.paths);
    delete live.paths[path];
    cloudflare.document = JSON.stringify(live);
    await project.deploy(cloudflare);
    expect(project.output).toContain(`GET ${path}\n      is new`);

    live.paths['/{alias}/gone'] = live.paths['/{alias}/catalog/brands']!;
    cloudflare.document = JSON.stringify(live);
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      /Step 3, List what changes for callers.*--break-callers/s,
    );
    expect(project.output).toContain('GET /{alias}/gone\n      is gone');
    expect(cloudflare.calls.filter((call) => mutating.test(call))).toEqual([]);
    await project.deploy(cloudflare, undefined, { mayBreakCallers: true });
  });

  it('goes out although a shard is ill, if the live version has the same', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { mend: true };');
    cloudflare.unready.add('version-1').add('version-2');
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.traffic).toEqual({ 'version-2': 100 });
    expect(project.output).toContain('Not ready, as in the live version: store_0.');
  });

  it('creates, numbers and opens a shard that was appended, after the traffic shift', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeDeployment({ shards: 4 });
    await project.deploy(cloudflare);
    const { databases } = cloudflare.account;
    const { worker } = cloudflare;
    expect(databases['store-api-store-3']).toMatchObject({ location: 'weur' });
    expect(databases['store-api-store-3']?.statements.join()).toContain(String(3 * 2 ** 36));
    expect(cloudflare.calls.at(-2)).toContain('(2), (3) on conflict do nothing');
    expect(worker?.traffic).toEqual({ 'version-2': 100 });
  });

  it.each<[string, object, string]>([
    ['another location', { location: 'apac' }, 'store-api-directory is in weur'],
    ['a shard fewer', { shards: 2 }, 'no longer has store-api-store-2'],
  ])('is refused with %s, before any change', async (_what, change, message) => {
    const { project, cloudflare } = await createDeployed();
    project.changeDeployment(change);
    await expect(project.deploy(cloudflare)).rejects.toThrow(message);
    expect(cloudflare.calls.filter((call) => mutating.test(call))).toEqual([]);
  });

  it.each(['store-api-store-1', 'store-api-directory'])(
    'makes %s again only if that was asked for, where it is gone with its data',
    async (name) => {
      const { project, cloudflare } = await createDeployed();
      const { databases } = cloudflare.account;
      delete databases[name];
      await expect(project.deploy(cloudflare)).rejects.toThrow(
        new RegExp(`no ${name} any more.*--replace-lost`, 's'),
      );
      expect(cloudflare.calls.filter((call) => mutating.test(call))).toEqual([]);
      await project.deploy(cloudflare, undefined, { isLossAccepted: true });
      expect(databases[name]).toMatchObject({ location: 'weur', migrated: 1 });
    },
  );
});

const migrationsOf = ({ account }: FakeCloudflare) =>
  Object.values(account.databases).map(({ statements }) =>
    [...statements.join().matchAll(/d1_migrations \(name\) VALUES \('(.+?)'\)/g)].map(
      ([, file]) => file,
    ),
  );

describe.skipIf(isSlow)('migrations', () => {
  it('of many shards take one call each when nothing is missing, ten at a time', async () => {
    // The real wrangler makes 1,000 in a slow run.
    const shards = 100;
    const project = createProject();
    project.changeDeployment({ shards });
    const cloudflare = new FakeCloudflare();
    await project.deploy(cloudflare);
    expect(migrationsOf(cloudflare)).toEqual(
      Array.from({ length: shards + 1 }, () => ['0000_initial.sql']),
    );
    expect(cloudflare.widest).toBe(10);
    await project.deploy(cloudflare);
    expect(cloudflare.calls.filter(isMigration)).toHaveLength(shards + 1);
    expect(cloudflare.calls.length).toBeLessThan(shards + 25);
    expect(cloudflare.widest).toBe(10);
  });

  it('that are missing are applied once to each database, the directory first', async () => {
    const { project, cloudflare } = await createDeployed();
    project.addMigration('directory', '0001_more.sql', 'CREATE TABLE more (id integer);');
    project.addMigration('store', '0001_more.sql', 'CREATE TABLE more (id integer);');
    await project.deploy(cloudflare);
    await project.deploy(cloudflare);
    expect(migrationsOf(cloudflare)).toEqual(
      Array.from({ length: 4 }, () => ['0000_initial.sql', '0001_more.sql']),
    );
  });

  it('that fail name the statement, leave the database as it was, and keep the version back', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { release: 2 };');
    project.addMigration('store', '0001_wrong.sql', 'CREATE TABLE a (id); CREATE TABLE a (id);');
    await expect(project.deploy(cloudflare)).rejects.toThrow('table a already exists');
    expect(cloudflare.worker?.versions).toHaveLength(1);
    project.addMigration('store', '0001_wrong.sql', 'CREATE TABLE a (id);');
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.versions).toHaveLength(2);
  });

  it('do not wait for a shard that does not answer and had them before, but for one that lacks them', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { mend: true };');
    cloudflare.ill.add('store-api-store-1');
    cloudflare.unready.add('version-1').add('version-2');
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.traffic).toEqual({ 'version-2': 100 });
    project.addMigration('store', '0001_more.sql', 'CREATE TABLE more (id integer);');
    await expect(project.deploy(cloudflare)).rejects.toThrow('Status 500');
  });

  it('of a new database go the way of files when the platform cannot split them', async () => {
    const project = createProject();
    const cloudflare = new FakeCloudflare();
    cloudflare.isSplitWrongly = true;
    await project.deploy(cloudflare);
    const imports = cloudflare.calls.filter((call) => call.startsWith('d1 execute '));
    const bindings = ['DIRECTORY', 'STORE_0', 'STORE_1', 'STORE_2'];
    expect(new Set(imports.map((call) => call.split(' ')[2]))).toEqual(new Set(bindings));
    expect(imports).toHaveLength(bindings.length);
    expect(migrationsOf(cloudflare)).toEqual(Array.from({ length: 4 }, () => ['0000_initial.sql']));
  });

  it('wait while the API of the platform refuses more calls (429)', async () => {
    const { project, cloudflare } = await createDeployed();
    cloudflare.refusals = 25;
    await project.deploy(cloudflare);
    expect(cloudflare.refusals).toBe(0);
  });

  it('are refused on a database that is more than one release ahead', async () => {
    const { project, cloudflare } = await createDeployed();
    project.addMigration('store', '0001_far.sql', 'UPDATE schema_version SET version = 9;');
    await project.deploy(cloudflare);
    await expect(project.deploy(cloudflare)).rejects.toThrow('STORE_0 has schema 9');
  });
});

describe('migrations of a release that relies on a long change', () => {
  const needed = { neededChanges: ['titles-1'] };

  /**
   * Three deployed shards: one with stores that has finished the change or not, one that has, one
   * without stores.
   */
  async function createChanging(isFinished: boolean) {
    const { project, cloudflare } = await createDeployed();
    const run = (shard: number, statement: string) => {
      const { id = '' } = cloudflare.account.databases[`store-api-store-${shard}`] ?? {};
      runSql(cloudflare.account, id, statement);
    };
    const finish = (shard: number) => run(shard, "insert into long_changes values ('titles-1', 1)");
    run(0, "insert into placements values (1); insert into long_changes values ('titles-1', null)");
    run(1, 'insert into placements values (2)');
    finish(1);
    if (isFinished) run(0, 'update long_changes set finished_at = 1');
    project.changeSource('export default { release: 2 };');
    project.addMigration('store', '0001_drop.sql', 'DROP TABLE orders;');
    return {
      project,
      cloudflare,
      finish: () => run(0, 'update long_changes set finished_at = 1'),
    };
  }

  const dropped = (cloudflare: FakeCloudflare) =>
    migrationsOf(cloudflare).filter((files) => files.includes('0001_drop.sql')).length;

  it('touch no database before every shard with stores has finished it', async () => {
    const { project, cloudflare, finish } = await createChanging(false);
    await expect(project.deploy(cloudflare, undefined, needed)).rejects.toThrow(
      /STORE_0 has not finished the long change titles-1/,
    );
    expect(dropped(cloudflare)).toBe(0);
    expect(cloudflare.worker?.versions).toHaveLength(1);
    finish();
    await project.deploy(cloudflare, undefined, needed);
    expect(dropped(cloudflare)).toBe(3);
    expect(cloudflare.worker?.traffic).toEqual({ 'version-2': 100 });
  });

  it('touch none when a shard that could not be asked may lack it', async () => {
    const { project, cloudflare } = await createChanging(true);
    cloudflare.ill.add('store-api-store-0');
    await expect(project.deploy(cloudflare, undefined, needed)).rejects.toThrow('internal error');
    expect(dropped(cloudflare)).toBe(0);
  });

  it('are applied to new databases without a question', async () => {
    const project = createProject();
    const cloudflare = new FakeCloudflare();
    await project.deploy(cloudflare, undefined, needed);
    expect(cloudflare.worker?.traffic).toEqual({ 'version-1': 100 });
  });

  it('go on where they stopped, whatever call was lost, and are held back after each until it is finished', async () => {
    const whole = await createChanging(true);
    await whole.project.deploy(whole.cloudflare, undefined, needed);
    const calls = whole.cloudflare.calls.map((_call, index) => index + 1);
    for (const call of sampled(calls)) {
      const { project, cloudflare, finish } = await createChanging(false);
      const isDone = call % 2 === 0;
      await project.deploy(cloudflare, { call, isDone }, needed).catch(() => undefined);
      expect(dropped(cloudflare), `${call}`).toBe(0);
      finish();
      await project.deploy(cloudflare, { call, isDone: !isDone }, needed).catch(() => undefined);
      await project.deploy(cloudflare, undefined, needed);
      expect(dropped(cloudflare), `${call}`).toBe(3);
      project.remove();
    }
  });
});

describe.skipIf(isSlow)('a token without a right', () => {
  it('stops the step, which names the call and where the rights stand', async () => {
    const project = createProject();
    const cloudflare = new FakeCloudflare();
    const run = project.createRun({
      execute: () =>
        Promise.resolve({ isOk: true, stdout: '{"token":"token-of-another"}', stderr: '' }),
      fetch: cloudflare.fetch,
    });
    await expect(deploy(run)).rejects.toThrow(
      /^Step 1, .*GET \S+\/accounts\?.*Status 403.*a right: src\/deploy\/README\.md/s,
    );
  });
});

describe.skipIf(isSlow)('two deployments at once', () => {
  /** A deployment that stands still while it uploads, and its end. */
  async function createWaiting() {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { release: 2 };');
    const { execute, fetch } = cloudflare;
    const gate = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const run = project.createRun({
      fetch,
      execute: async (args, ...rest) => {
        if (args[1] === 'upload') {
          arrived.resolve();
          await gate.promise;
        }
        return await execute(args, ...rest);
      },
    });
    const ended = deploy(run);
    await arrived.promise;
    return { project, cloudflare, ended, gate };
  }

  it('are one: the second changes nothing and says who has the lock, until the first has ended', async () => {
    const { project, cloudflare, ended, gate } = await createWaiting();
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      /\S+:\d+:\w+ deploys, and has the lock/,
    );
    expect(cloudflare.calls.filter((call) => mutating.test(call))).toEqual([]);
    gate.resolve();
    await ended;
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.versions).toHaveLength(2);
  });

  it('are one also when the first was killed, until its lock is ended by hand or its hour is over', async () => {
    const { project, cloudflare } = await createDeployed();
    const { id = '' } = cloudflare.account.databases['store-api-directory'] ?? {};
    const killed = (until: string) =>
      runSql(cloudflare.account, id, `update deploy_locks set until = ${until}, holder = 'dead'`);
    killed('unixepoch() * 1000 + 60000');
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      /dead deploys.*d1 execute store-api-directory --remote --command "update deploy_locks set until = 0"/s,
    );
    cloudflare.endTurn();
    await project.deploy(cloudflare);
    killed('unixepoch() * 1000 - 1');
    await project.deploy(cloudflare);
  });
});

describe.skipIf(isSlow)('the place of databases', () => {
  it('is what the account says: another one than asked for is refused', async () => {
    const project = createProject();
    const cloudflare = new FakeCloudflare();
    cloudflare.elsewhere['store-api-store-2'] = 'eeur';
    await expect(project.deploy(cloudflare)).rejects.toThrow(/store-2 is in eeur.*says weur/s);
    delete cloudflare.account.databases['store-api-store-2'];
    delete cloudflare.elsewhere['store-api-store-2'];
    await project.deploy(cloudflare);
    expect(Object.keys(cloudflare.account.databases)).toHaveLength(4);
  });

  it('is a jurisdiction from their creation on, for buckets too', async () => {
    const project = createProject();
    project.changeDeployment({ jurisdiction: 'eu' });
    const cloudflare = new FakeCloudflare();
    await project.deploy(cloudflare);
    const { databases, buckets } = cloudflare.account;
    const found = [...Object.values(databases), ...Object.values(buckets)];
    expect(found.map(({ jurisdiction }) => jurisdiction)).toEqual(found.map(() => 'eu'));
    const config = readFileSync(
      join(project.root, '.wrangler/deploy/store-api/wrangler.json'),
      'utf8',
    );
    expect(JSON.parse(config)).toMatchObject({ r2_buckets: [{ jurisdiction: 'eu' }] });
  });

  it.each([
    ['added', {}, { jurisdiction: 'fedramp' }],
    ['dropped', { jurisdiction: 'fedramp' }, {}],
  ])('is never %s to what exists', async (_how, first, later) => {
    const project = createProject();
    project.changeDeployment({ location: 'enam', ...first });
    const cloudflare = new FakeCloudflare();
    await project.deploy(cloudflare);
    project.changeDeployment({ location: 'enam', ...later });
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      'when a database is created, for ever',
    );
    expect(cloudflare.calls.filter((call) => mutating.test(call))).toEqual([]);
  });

  it('is a location within the jurisdiction', () => {
    const project = createProject();
    project.changeDeployment({ location: 'apac', jurisdiction: 'eu' });
    expect(() => project.createRun({})).toThrow('jurisdiction: Has only the locations weur, eeur.');
  });
});

describe.skipIf(isSlow)('secrets', () => {
  it('are not generated again when their file is lost: data that they sealed could not be read', async () => {
    const { project, cloudflare } = await createDeployed();
    const before = { ...cloudflare.worker?.secrets };
    rmSync(project.secretsFile);
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      /lacks .*SEALING_KEY.*which the Worker/,
    );
    expect(existsSync(project.secretsFile)).toBe(false);
    expect(cloudflare.worker?.secrets).toEqual(before);
  });

  it('are taken out of the output of a command that fails', async () => {
    const { project, cloudflare } = await createDeployed();
    project.changeSource('export default { release: 2 };');
    cloudflare.noise = Object.values(readSecrets(project)).join(' ');
    const twin = await createDeployed();
    twin.project.changeSource('export default { release: 2 };');
    await twin.project.deploy(twin.cloudflare);
    const call = 1 + twin.cloudflare.calls.findIndex((name) => name.startsWith('versions upload'));
    const error = await project.deploy(cloudflare, { call, isDone: false }).then(String, String);
    expect(error).toContain('***');
    for (const value of Object.values(readSecrets(project))) expect(error).not.toContain(value);
  });
});

describe.skipIf(isSlow)('attacks on the machine that deploys', () => {
  it('get no secrets by a file that stands where they are written first', async () => {
    const project = createProject();
    writeFileSync(`${project.secretsFile}.new`, '', { mode: 0o666 });
    await project.deploy(new FakeCloudflare());
    expect(statSync(project.secretsFile).mode & 0o777).toBe(0o600);
  });

  it('get no secrets by a link that stands there', async () => {
    const project = createProject();
    const elsewhere = join(project.root, 'elsewhere');
    symlinkSync(elsewhere, `${project.secretsFile}.new`);
    await project.deploy(new FakeCloudflare());
    expect(existsSync(elsewhere)).toBe(false);
    expect(Object.keys(readSecrets(project))).toContain('SEALING_KEY');
  });

  it('get no secrets of a file that others can read: it is refused', async () => {
    const { project, cloudflare } = await createDeployed();
    const text = readFileSync(project.secretsFile, 'utf8');
    rmSync(project.secretsFile);
    writeFileSync(project.secretsFile, text, { mode: 0o640 });
    await expect(project.deploy(cloudflare)).rejects.toThrow('can be read by others');
  });

  it('find the token of the account in no output, whatever wrangler prints', async () => {
    const { project, cloudflare } = await createDeployed();
    vi.stubEnv('CLOUDFLARE_API_TOKEN', 'token-of-the-environment');
    cloudflare.noise = 'Authorization: Bearer token-of-the-environment';
    let errors = '';
    for (let call = 1; call < 25; call += 1) {
      project.changeSource(`export default { release: ${call} };`);
      errors += await project.deploy(cloudflare, { call, isDone: false }).then(String, String);
    }
    vi.unstubAllEnvs();
    expect(errors).toContain('Bearer ***');
    expect(`${errors}${project.output}`).not.toContain('token-of-the-environment');
  });

  it('find the token of a login in no output, also if wrangler prints it in another form', async () => {
    const cloudflare = new FakeCloudflare();
    const project = createProject();
    const run = project.createRun({
      execute: (args, ...rest) =>
        args[0] === 'auth'
          ? Promise.resolve({ isOk: true, stdout: `token = ${apiToken}`, stderr: '' })
          : cloudflare.execute(args, ...rest),
      fetch: cloudflare.fetch,
    });
    const error = await deploy(run).then(String, String);
    expect(error).toContain('auth token');
    expect(`${error}${project.output}`).not.toContain(apiToken);
  });
});

describe.skipIf(isSlow)('a login with several accounts', () => {
  it('needs the account in the deployment file', async () => {
    const project = createProject();
    const cloudflare = new FakeCloudflare();
    cloudflare.accounts.push({ id: 'e'.repeat(32), name: 'Outra' });
    await expect(project.deploy(cloudflare)).rejects.toThrow(
      /account_id into the deployment file.*Outra/s,
    );
    project.changeDeployment({ account_id: accountId });
    await project.deploy(cloudflare);
    expect(cloudflare.worker?.host).toBe('api.store.example');
  });
});

describe.skipIf(isSlow)('a host that something else has', () => {
  it.each([
    [
      'a DNS record (CNAME shop.example.net)',
      (cloudflare: FakeCloudflare) =>
        cloudflare.zones['store.example']?.push({
          name: 'api.store.example',
          type: 'CNAME',
          content: 'shop.example.net',
        }),
    ],
    [
      'the Worker other-shop',
      (cloudflare: FakeCloudflare) => {
        cloudflare.domains['api.store.example'] = 'other-shop';
      },
    ],
  ])('is not taken from %s, unless asked for', async (owner, give) => {
    const project = createProject();
    const cloudflare = new FakeCloudflare();
    give(cloudflare);
    await expect(project.deploy(cloudflare)).rejects.toThrow(`belongs to ${owner}`);
    expect(cloudflare.calls.filter((call) => mutating.test(call))).toEqual([]);
    await project.deploy(cloudflare, undefined, { isHostTakenOver: true });
    expect(cloudflare.worker?.host).toBe('api.store.example');
  });

  it('must be in a zone of the account', async () => {
    const project = createProject();
    project.changeDeployment({ host: 'api.elsewhere.example' });
    await expect(project.deploy(new FakeCloudflare())).rejects.toThrow(
      'No zone of the account has api.elsewhere.example',
    );
  });

  it('is looked at again when the deployment file names another one', async () => {
    const { project, cloudflare } = await createDeployed();
    cloudflare.domains['shop.store.example'] = 'other-shop';
    project.changeDeployment({ host: 'shop.store.example' });
    await expect(project.deploy(cloudflare)).rejects.toThrow('belongs to the Worker other-shop');
    expect(cloudflare.worker?.host).toBe('api.store.example');
  });
});

const alerts = {
  url: 'https://chat.example.com/hook/token-of-the-chat',
  heartbeat: 'https://alarm.example.com/token-of-the-alarm',
};

describe.skipIf(isSlow)('a deployment with an address for alerts', () => {
  it('deploys the Worker that watches first, with its secrets, and names it as a reader of the log', async () => {
    const project = createProject();
    project.changeDeployment({ alerts });
    const cloudflare = new FakeCloudflare();
    await project.deploy(cloudflare);
    const { watch, worker } = cloudflare;
    expect(watch).toMatchObject({
      deployments: 1,
      secrets: {
        READY_KEY: worker?.secrets.READY_KEY,
        ALERT_URL: alerts.url,
        HEARTBEAT_URL: alerts.heartbeat,
      },
    });
    const order = cloudflare.calls.filter((call) => call.startsWith('deploy '));
    expect(order.map((call) => call.includes('watch.json'))).toEqual([true, false]);
    expect(project.output).not.toContain('token-of-the');
    expect(existsSync(join(project.root, '.wrangler/deploy/store-api/watch.secrets.json'))).toBe(
      false,
    );
  });

  it('hands it the API key of the test store in which it places orders, and stops without one', async () => {
    const project = createProject();
    project.changeDeployment({ alerts: { ...alerts, order: { alias: 'probe', sku_id: 7 } } });
    const cloudflare = new FakeCloudflare();
    await expect(project.deploy(cloudflare)).rejects.toThrow('needs ORDER_USER_TOKEN');
    expect(cloudflare.watch).toBeUndefined();
    const key = {
      ORDER_USER_TOKEN: 'token-of-the-orders',
      ORDER_USER_SECRET_KEY: 'secret-of-the-orders',
    };
    writeFileSync(project.secretsFile, JSON.stringify({ ...readSecrets(project), ...key }));
    await project.deploy(cloudflare);
    expect(cloudflare.watch?.secrets).toMatchObject(key);
    expect(project.output).not.toContain('-of-the-orders');
  });

  it('deploys it again only after a change', async () => {
    const project = createProject();
    project.changeDeployment({ alerts });
    const cloudflare = new FakeCloudflare();
    await project.deploy(cloudflare);
    await project.deploy(cloudflare);
    expect(cloudflare.watch?.deployments).toBe(1);
    project.changeDeployment({ alerts: { url: 'https://chat.example.com/other' } });
    await project.deploy(cloudflare);
    expect(cloudflare.watch).toMatchObject({
      deployments: 2,
      secrets: { ALERT_URL: 'https://chat.example.com/other' },
    });
  });

  it.each([
    [{ url: 'http://chat.example.com' }, 'alerts.url'],
    [{ heartbeat: 'https://a.example.com' }, 'alerts.url'],
    [{ url: 'https://chat.example.com', other: 1 }, 'alerts'],
  ])('refuses %o', (wrong, path) => {
    const project = createProject();
    project.changeDeployment({ alerts: wrong });
    expect(() => project.createRun({})).toThrow(path);
  });
});

it('a deployment with an address for alerts ends the same wherever the network was lost', async () => {
  for (let call = 1; call <= 40; call += runsOf(1, 5)) {
    const project = createProject();
    project.changeDeployment({ alerts });
    const cloudflare = new FakeCloudflare();
    const isLost = await project
      .deploy(cloudflare, { call, isDone: call % 2 === 0 })
      .then(() => false)
      .catch(() => true);
    if (isLost) await project.deploy(cloudflare);
    expect([call, cloudflare.watch?.crons, cloudflare.worker?.host]).toEqual([
      call,
      ['* * * * *'],
      'api.store.example',
    ]);
  }
});

describe.skipIf(isSlow)('a dry run', () => {
  it('prints the steps and the resources, calls nothing and writes nothing', async () => {
    const project = createProject();
    project.changeDeployment({ shards: 1000 });
    const cloudflare = new FakeCloudflare();
    await printPlan(project.createRun({ execute: cloudflare.execute, fetch: cloudflare.fetch }));
    expect(project.output).toContain(
      'Databases in weur, KV namespaces, queues and buckets:\n  store-api-directory\n',
    );
    expect(project.output).toContain('store-api-store-999\n');
    expect(project.output).toContain('15. Open the new shards');
    expect([cloudflare.calls, existsSync(project.secretsFile)]).toEqual([[], false]);
  });
});
