import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { openDatabase } from '../data/core/open-database.ts';
import { CopiesBucket } from '../stores/copies/copies-bucket.ts';
import { StoreCopy } from '../stores/copies/copy-one.ts';
import { chooseAccount, findDatabases, liveVersion, queryDatabase, readWorker } from './account.ts';
import { giveLockBack, takeLock } from './deploy-lock.ts';
import { migrateDatabase } from './migrate.ts';
import { askReady } from './release.ts';
import { remoteDatabase } from './remote-database.ts';
import { deploy } from './run-deployment.ts';
import type { DeployRun } from './run.ts';
import { readSecrets } from './secrets-file.ts';

/** The store to copy, and as of when. */
export interface WantedStore {
  storeId: number;
  /** Epoch milliseconds. */
  at: number;
  /** The shard that it was in then; the present one unless given. */
  shard?: number | undefined;
}

interface RestoreRun {
  deploymentFile: string;
  /** How long work that began before the fence may go on, in milliseconds. */
  settleMs: number;
  /** Gives the store up: brings the shard forward without a copy. */
  isGivenUp?: boolean;
}

/** How far the restore of one store is. */
const restoreSchema = z.object({
  storeId: z.number(),
  at: z.number(),
  shard: z.number(),
  /** The bookmark of that time. */
  past: z.string(),
  /**
   * The bookmark to which the shard comes back, and what it had counted by then. With them, it may
   * be in the past.
   */
  present: z.string().optional(),
  facts: z.string().optional(),
  /** The name of the copy; empty if the store was not in the shard. */
  copy: z.string().optional(),
  /** A time just after its end, by which a restore finds it. */
  copiedBy: z.string().optional(),
  isForward: z.boolean().optional(),
});

type RestoreState = z.output<typeof restoreSchema>;

const restorePath = ({ paths }: DeployRun) => join(paths.folder, 'restore.json');

/** Reads how far a restore that was begun is; `undefined` if none is under way. */
function readRestore(run: DeployRun): RestoreState | undefined {
  const path = restorePath(run);
  return existsSync(path) ? restoreSchema.parse(JSON.parse(readFileSync(path, 'utf8'))) : undefined;
}

const found = z.array(z.object({ shard: z.number() }));
const bookmarkOf = z.object({ bookmark: z.string() });

/**
 * Copies one store, as it was at a time, to the bucket of copies. Its shard goes back to that time
 * for this, and forward again, fenced all the while. Each step is recorded before the next one, so
 * a run that dies goes on; it can always go forward. Returns how to restore it.
 */
export async function copyPastStore(
  run: DeployRun,
  wanted: WantedStore,
  options: RestoreRun,
): Promise<string> {
  await chooseAccount(run);
  await findDatabases(run);
  if (!('DIRECTORY' in run.ids.databases)) {
    throw new Error(`Deploy first: the account has no ${run.deployment.name}-directory.`);
  }
  const restore = readRestore(run) ?? (await begin(run, wanted));
  if (restore.storeId !== wanted.storeId || restore.at !== wanted.at) {
    throw new Error(
      `The copy of store ${restore.storeId} of ${new Date(restore.at).toISOString()} is under way: end it first.`,
    );
  }
  const isBack = () => restore.present !== undefined && restore.isForward !== true;
  // While the shard may be in the past, no deployment runs: it would migrate the past, and could
  // lift the fence.
  if (!isBack() && restore.isForward !== true) await fence(run, restore, options);
  await takeLock(run, () => Promise.reject(new Error('The directory has no schema.')));
  try {
    if (restore.isForward !== true) await assertFenced(run, restore);
    if (restore.present === undefined && !options.isGivenUp) await markPresent(run, restore);
    if (isBack()) {
      if (restore.copy === undefined && !options.isGivenUp) {
        await travel(run, restore, restore.past);
        await copyOut(run, restore);
      }
      await goForward(run, restore);
    }
  } finally {
    await giveLockBack(run);
  }
  await unfence(run, restore, options);
  rmSync(restorePath(run), { force: true });
  if (restore.copy === undefined)
    return 'Given up: the shard is as it was before, and there is no copy.';
  if (restore.copy === '') {
    throw new Error(
      `Store ${restore.storeId} was not in shard ${restore.shard} then. The shard is as it was before. If the store was in another one, name it: --shard.`,
    );
  }
  return (
    `Store ${restore.storeId} of ${new Date(restore.at).toISOString()} is in the copy ${restore.copy}. Restore it into another shard:\n` +
    `npm run operator -- restore-store ${restore.storeId} --shard N --before '${restore.copiedBy}' --reason '...'`
  );
}

const bindingOf = ({ shard }: Pick<RestoreState, 'shard'>) => `STORE_${shard}`;

/** Stores a step before the next one begins. */
const record = (run: DeployRun, restore: RestoreState, change: Partial<RestoreState>) => {
  Object.assign(restore, change);
  const path = restorePath(run);
  mkdirSync(run.paths.folder, { recursive: true });
  writeFileSync(`${path}.new`, `${JSON.stringify(restore, null, 2)}\n`);
  renameSync(`${path}.new`, path);
};

/** Finds the shard of a store, and the bookmark of the time. Changes nothing. */
async function begin(run: DeployRun, { storeId, at, shard }: WantedStore): Promise<RestoreState> {
  if (!run.deployment.copies) throw new Error('The deployment file has no bucket for copies.');
  const [store] = found.parse(
    await queryDatabase(
      run,
      'DIRECTORY',
      `select shard from stores where id = ${storeId} and erased_at is null`,
    ),
  );
  if (!store) throw new Error(`There is no store ${storeId}.`);
  const home = shard ?? store.shard;
  const binding = bindingOf({ shard: home });
  if (!(binding in run.ids.databases)) throw new Error(`There is no shard ${home}.`);
  const past = await readBookmark(run, binding, `?timestamp=${new Date(at).toISOString()}`);
  const restore: RestoreState = { storeId, at, shard: home, past };
  record(run, restore, {});
  return restore;
}

async function readBookmark(run: DeployRun, binding: string, query = ''): Promise<string> {
  const path = `/d1/database/${run.ids.databases[binding]}/time_travel/bookmark${query}`;
  return bookmarkOf.parse(await run.api.call({ path })).bookmark;
}

/**
 * Brings the shard to a bookmark. A second time changes nothing, as long as the shard is fenced.
 */
async function travel(run: DeployRun, restore: RestoreState, bookmark: string): Promise<void> {
  const id = run.ids.databases[bindingOf(restore)];
  const path = `/d1/database/${id}/time_travel/restore?bookmark=${bookmark}`;
  await run.api.call({ method: 'POST', path });
}

const fileSchema = z.looseObject({ restoring_shards: z.array(z.number()).optional() });

/**
 * Writes the shards that are being restored into the deployment file, so that any other deployment
 * keeps the fence.
 */
function writeFence(deploymentFile: string, change: (shards: number[]) => number[]): number[] {
  const file = fileSchema.parse(JSON.parse(readFileSync(deploymentFile, 'utf8')));
  const shards = change(file.restoring_shards ?? []);
  const { restoring_shards: _before, ...rest } = file;
  const after = shards.length > 0 ? { ...rest, restoring_shards: shards } : rest;
  writeFileSync(deploymentFile, `${JSON.stringify(after, null, 2)}\n`);
  return shards;
}

const deployWith = (run: DeployRun, shards: number[]) =>
  deploy({ ...run, deployment: { ...run.deployment, restoring_shards: shards } });

/** From now on no request and no sweep uses the shard. What began before ends meanwhile. */
async function fence(run: DeployRun, restore: RestoreState, options: RestoreRun): Promise<void> {
  const { shard } = restore;
  await deployWith(
    run,
    writeFence(options.deploymentFile, (shards) => [...new Set([...shards, shard])]),
  );
  await sleep(options.settleMs);
}

async function unfence(run: DeployRun, { shard }: RestoreState, options: RestoreRun) {
  await deployWith(
    run,
    writeFence(options.deploymentFile, (shards) => shards.filter((one) => one !== shard)),
  );
}

/** Throws unless the live version leaves the shard alone. */
async function assertFenced(run: DeployRun, { shard }: RestoreState): Promise<void> {
  const live = await readWorker(run, run.deployment.name);
  const version = live && liveVersion(live)?.id;
  const { restoring, problem } = await askReady(run, version ?? '');
  if (restoring.includes(`store_${shard}`)) return;
  throw new Error(
    `The live version does not leave shard ${shard} alone (${problem ?? 'it uses it'}). Stop all deployments, put ${shard} into ` +
      'restoring_shards, deploy, and run this again.',
  );
}

/**
 * The counts of a shard: every change of a record that gets an id, of a total or of a placement
 * shows in them.
 */
const presentSql = `select json_array(
  (select json_group_object(name, seq) from (select name, seq from sqlite_sequence order by name)),
  (select json_array(count(*), sum(store_id), sum(state), sum(epoch), sum(version)) from placements),
  (select json_array(count(*), sum(total)) from totals),
  (select json_array(count(*), max(last)) from sequences)) as present`;

const presentRows = z.tuple([z.object({ present: z.string() })]);

const readPresent = async (run: DeployRun, restore: RestoreState) =>
  presentRows.parse(await queryDatabase(run, bindingOf(restore), presentSql))[0].present;

/** Records where the shard goes back to. Only before it went into the past, and once. */
async function markPresent(run: DeployRun, restore: RestoreState): Promise<void> {
  const facts = await readPresent(run, restore);
  const present = await readBookmark(run, bindingOf(restore));
  record(run, restore, { facts, present });
  run.print(`  Shard ${restore.shard} comes back to bookmark ${present}. Keep this line.`);
}

/**
 * Copies the store from the shard, which is in the past. A release since may have added tables, so
 * it is migrated first.
 */
async function copyOut(run: DeployRun, restore: RestoreState): Promise<void> {
  const { storeId, shard } = restore;
  const database = run.resources.databases.find(({ binding }) => binding === bindingOf(restore));
  if (database) await migrateDatabase(run, database);
  const { copies } = run.deployment;
  const secret = readSecrets(run.paths.secrets).COPIES_SECRET;
  if (!copies || secret === undefined) throw new Error('The bucket for copies has no secret.');
  const { url, region, access_id: accessId } = copies;
  const bucket = new CopiesBucket({ url, region, accessId, secret, keptMs: 0 });
  const directory = remoteDatabase(run, 'DIRECTORY');
  const copy = new StoreCopy(
    {
      run: { env: { DIRECTORY: directory }, job: { shard }, now: Date.now, hasTime: () => true },
      bucket,
      directory: openDatabase(directory),
      shard: openDatabase(remoteDatabase(run, bindingOf(restore))),
    },
    { storeId, digest: undefined },
    undefined,
    () => Promise.resolve(),
  );
  const result = await copy.run();
  // A time of the copies: the next second is after its end, and before that of the next night.
  const ends = Math.floor(Date.now() / 1000) * 1000 + 1000;
  const copiedBy = new Date(ends).toISOString().slice(0, 19).replace('T', ' ');
  record(run, restore, { copy: result === 'copied' ? copy.name : '', copiedBy });
}

/** Brings the shard back to the moment of the fence, and looks whether it is. */
async function goForward(run: DeployRun, restore: RestoreState): Promise<void> {
  await travel(run, restore, restore.present ?? '');
  if ((await readPresent(run, restore)) !== restore.facts) {
    throw new Error(
      `Shard ${restore.shard} is not as it was at bookmark ${restore.present}. It stays fenced. See "One store as it was at a time" of OPERATIONS.md.`,
    );
  }
  record(run, restore, { isForward: true });
}
