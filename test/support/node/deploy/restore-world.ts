import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { unpackLines } from '../../../../src/stores/copies/parts.ts';
import { bucketSettings } from '../../fakes/s3-bucket.ts';
import { runSql } from './fake-account.ts';
import type { FakeCloudflare } from './fake-cloudflare.ts';
import { projectRoot } from './production-config.ts';
import { DeployProject } from './project.ts';

/** The moment to which the store goes back, and one at which it was not there yet. */
export const restoredAt = Date.parse('2026-03-05T14:00:00Z');
export const beforeHistory = restoredAt - 3_600_000;

export const bucketOf = {
  copies: {
    url: bucketSettings.COPIES_URL,
    region: bucketSettings.COPIES_REGION,
    access_id: bucketSettings.COPIES_ACCESS_ID,
  },
};

const migration = (database: string) =>
  readFileSync(join(projectRoot, 'drizzle', database, '0000_initial.sql'), 'utf8');

const brand = (id: number, store: number, name: string) =>
  `insert into brands (id, store_id, name, name_key, name_folded, active, featured, created_at, updated_at)
    values (${id}, ${store}, '${name}', '${name}', '${name}', 1, 0, 0, 0)`;

/** Runs SQL on a database of the deployment. */
const runner =
  ({ account }: FakeCloudflare) =>
  (name: string, sql: string) =>
    runSql(account, idOf(account, name), sql);

const idOf = ({ databases }: FakeCloudflare['account'], name: string) =>
  databases[`store-api-${name}`]?.id ?? '';

/**
 * A deployment with two stores in shard 0, its only one unless `more` has others. Store 7 had two
 * brands at the moment, and has lost one since; store 8 has got another. While no version leaves
 * the shard alone, a merchant writes into it at every call.
 */
export async function createRestoreWorld(
  project: DeployProject,
  cloudflare: FakeCloudflare,
  more: object = {},
) {
  project.changeDeployment({ ...bucketOf, shards: 1, ...more });
  for (const database of ['directory', 'store'] as const) {
    project.addMigration(database, '0000_initial.sql', migration(database));
  }
  project.changeSecrets({ COPIES_SECRET: bucketSettings.COPIES_SECRET });
  await project.deploy(cloudflare);
  const run = runner(cloudflare);
  run(
    'directory',
    `insert into users (id, email, name, created_at, updated_at) values (1, 'o@x.test', 'o', 0, 0);
    insert into stores (id, alias, name, owner_id, shard, base_url, created_at, updated_at)
      values (7, 's', 's', 1, 0, 'https://s.test', 0, 0), (8, 't', 't', 1, 0, 'https://t.test', 0, 0)`,
  );
  const keep = (time: number) =>
    cloudflare.timeTravel.keep(cloudflare.account, idOf(cloudflare.account, 'store-0'), time);
  keep(beforeHistory);
  run('store-0', 'insert into placements (store_id, works) values (7, 1), (8, 1)');
  run('store-0', [brand(1, 7, 'one'), brand(2, 7, 'two'), brand(3, 8, 'other')].join(';'));
  run('store-0', 'insert into transfer_steps (id, until, generation) values (1000, 0, 0)');
  keep(restoredAt);
  run('store-0', `delete from brands where id = 1; ${brand(4, 8, 'later')}`);
  return observeWorld(project, cloudflare);
}

/**
 * Another world as one was created, which nothing happened in since: to set it up takes longer than
 * to restore its store.
 */
export const copyRestoreWorld = ({
  project,
  cloudflare,
}: Awaited<ReturnType<typeof createRestoreWorld>>) =>
  observeWorld(new DeployProject(project), cloudflare.copy());

/** Lets the merchant write, and compares what is there with it. */
function observeWorld(project: DeployProject, cloudflare: FakeCloudflare) {
  const run = runner(cloudflare);
  let writes = 0;
  cloudflare.beforeCall = () => {
    if (cloudflare.restoring.includes('0')) return;
    writes += 1;
    run('store-0', 'update transfer_steps set until = until + 1 where id = 1000');
  };
  const brands = () => run('store-0', 'select id, store_id, name from brands order by id');
  return {
    project,
    cloudflare,
    run,
    /** The shard is as it was, with every write of the merchant. */
    expectPresent(context: string) {
      expect(brands(), context).toEqual([
        { id: 2, store_id: 7, name: 'two' },
        { id: 3, store_id: 8, name: 'other' },
        { id: 4, store_id: 8, name: 'later' },
      ]);
      expect(run('store-0', 'select until from transfer_steps where id = 1000'), context).toEqual([
        { until: writes },
      ]);
      expect(cloudflare.wrong, context).toEqual([]);
      expect(cloudflare.restoring, context).toEqual([]);
      expect(readFileSync(project.deploymentFile, 'utf8')).not.toContain('restoring_shards');
      expect(existsSync(project.restoreFile), context).toBe(false);
    },
  };
}

/** The names of the brands in each whole copy of the bucket. */
export async function copiedBrands(objects: ReadonlyMap<string, Uint8Array>) {
  const manifests = [...objects.keys()].filter((key) => key.endsWith('/manifest.json'));
  return Promise.all(
    manifests.map(async (key) => {
      const part = objects.get(key.replace('manifest.json', '0.ndjson.gz'))!;
      const brands = (await unpackLines(part)).find(({ table }) => table === 'brands');
      return brands?.rows.map((row) => row[brands.columns.indexOf('name')]);
    }),
  );
}
