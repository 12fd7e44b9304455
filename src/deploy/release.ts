import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { liveVersion, queryDatabase, readWorker } from './account.ts';
import { watchName } from './deployment-resources.ts';
import { schemaDigest } from './migrate.ts';
import type { DeployRun } from './run.ts';
import { readSecrets } from './secrets-file.ts';

/** Sources that a version does not contain. The documentation uses `texts`, too. */
const isOutside = (file: string) =>
  /^(?:demo|deploy|platform\/watch)\//.test(file) ||
  (!/\.tsx?$/.test(file) && !/^docs\/.+\..+$/.test(file));

/**
 * The tag of a release: a digest of everything that a version consists of, and that of its schema.
 */
function releaseTag(run: DeployRun): string {
  const { root, paths } = run;
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isOutside(file))
    .sort()
    .map((file) => join(root, 'src', file));
  const files = [...sources, join(root, 'package-lock.json'), paths.config, paths.secrets];
  return `${digestFiles(root, files)}-${schemaDigest(run)}`;
}

/** A digest of the names and contents of the files that exist. */
function digestFiles(root: string, files: readonly string[]): string {
  const hash = createHash('sha256');
  for (const file of files.filter((path) => existsSync(path))) {
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 12);
}

/**
 * Deploys the Worker that watches, before the service names it as a reader of its log. The
 * addresses of alerts are secrets there, since they may hold tokens.
 */
export async function deployWatch(run: DeployRun): Promise<void> {
  const { deployment, paths, root, wrangler } = run;
  if (!deployment.alerts) return;
  const { url, heartbeat, order } = deployment.alerts;
  const { READY_KEY, ORDER_USER_TOKEN, ORDER_USER_SECRET_KEY } = readSecrets(paths.secrets);
  if (order && !(ORDER_USER_TOKEN && ORDER_USER_SECRET_KEY)) {
    throw new Error(
      `${paths.secrets} needs ORDER_USER_TOKEN and ORDER_USER_SECRET_KEY, an API key of ${order.alias}.`,
    );
  }
  const secrets = {
    READY_KEY,
    ALERT_URL: url,
    ...(heartbeat && { HEARTBEAT_URL: heartbeat }),
    ...(order && { ORDER_USER_TOKEN, ORDER_USER_SECRET_KEY }),
  };
  wrangler.hide([url, ...(heartbeat ? [heartbeat] : [])]);
  rmSync(paths.watchSecrets, { force: true });
  writeFileSync(paths.watchSecrets, JSON.stringify(secrets), { mode: 0o600, flag: 'wx' });
  const sources = [
    'watch/watch.ts',
    'watch/alerts.ts',
    'watch/synthetic-order.ts',
    'OPERATIONS.md',
  ].map((file) => join(root, 'src/ops', file));
  const tag = digestFiles(root, [...sources, paths.watchConfig, paths.watchSecrets]);
  const watch = await readWorker(run, watchName(deployment));
  const config = ['--config', paths.watchConfig];
  // One that was cut off may have no cron yet.
  await (watch && liveVersion(watch)?.tag === tag
    ? wrangler.run(['triggers', 'deploy', ...config])
    : wrangler.run(['deploy', ...config, '--secrets-file', paths.watchSecrets, '--tag', tag]));
  rmSync(paths.watchSecrets, { force: true });
}

/** The version of this run, as the account has it. */
export interface Release {
  version: string;
  /** The version that has most of the traffic beside it, to go back to. */
  previous: string | undefined;
  /** Whether it has all the traffic, and whether it is beside the live one without any. */
  isLive: boolean;
  isStaged: boolean;
  /** Whether this run created the Worker. Then it has its triggers, too. */
  isFirst: boolean;
}

/**
 * Uploads a version with its secrets, unless the account has it. The first one of all has the
 * traffic at once.
 */
export async function upload(run: DeployRun): Promise<Release> {
  const { deployment, paths, wrangler, print } = run;
  const tag = releaseTag(run);
  const known = run.worker?.versions.find((version) => version.tag === tag);
  if (!known) {
    const command = run.worker ? ['versions', 'upload'] : ['deploy'];
    const files = ['--config', paths.config, '--secrets-file', paths.secrets];
    await wrangler.run([...command, ...files, '--tag', tag]);
  }
  const worker = known ? run.worker : await readWorker(run, deployment.name);
  const version = worker?.versions.find((one) => one.tag === tag)?.id;
  if (!worker || version === undefined) throw new Error('The account has no version of this run.');
  const others = [...worker.traffic].filter(([id]) => id !== version);
  const share = worker.traffic.get(version);
  const isLive = share === 100;
  if (known) print(`  Version ${version} is the same${isLive ? '' : ', and not live'}.`);
  const [previous] = others.toSorted(([, a], [, b]) => b - a);
  const newest = worker.versions.find(({ id }) => id !== version);
  return {
    version,
    previous: previous?.[0] ?? newest?.id,
    isLive,
    isStaged: share !== undefined,
    isFirst: run.worker === undefined,
  };
}

const worker = ({ paths }: DeployRun) => ['--config', paths.config];

/** Divides the traffic among versions. */
const divide = (run: DeployRun, ...specs: string[]) =>
  run.wrangler.run(['versions', 'deploy', ...specs, '--yes', ...worker(run)]);

/** Sets host, cron and consumers, which are not part of a version. */
const setTriggers = (run: DeployRun) => run.wrangler.run(['triggers', 'deploy', ...worker(run)]);

/** Puts the version beside the live one, without traffic, and waits until it is ready. */
export async function checkReady(run: DeployRun, release: Release): Promise<void> {
  const { version, previous, isLive, isStaged, isFirst } = release;
  // The first version has no other to go back to, so a later run asks it again.
  if (isLive && previous !== undefined) return;
  if (!isStaged && previous !== undefined) await divide(run, `${version}@0%`, `${previous}@100%`);
  // A first deployment that was cut off has no host, and so no version could answer.
  if (!run.isHosted && !isFirst) await setTriggers(run);
  await waitUntilReady(run, version, previous);
}

/** Gives the version all the traffic. Host, cron and consumers follow. */
export async function shiftTraffic(run: DeployRun, { version, isLive, isFirst }: Release) {
  if (!isLive) await divide(run, `${version}@100%`);
  if (!isFirst) await setTriggers(run);
}

/**
 * Waits until a version is ready, or fails in no more parts than the version before. Throws if time
 * ends before that.
 */
async function waitUntilReady(
  run: DeployRun,
  version: string,
  previous: string | undefined,
): Promise<void> {
  const { timeoutMs, pauseMs } = run.ready;
  const end = Date.now() + timeoutMs;
  let found: Report = { problem: '', failed: [], restoring: [] };
  while (Date.now() < end) {
    found = await askReady(run, version);
    // A part that fails in the live version too does not block a repair.
    const isNoWorse =
      found.problem === undefined ||
      (previous !== undefined &&
        found.failed.length > 0 &&
        isSubset(found.failed, (await askReady(run, previous)).failed));
    if (isNoWorse) {
      if (found.failed.length > 0) {
        run.print(`  Not ready, as in the live version: ${found.failed.join(', ')}.`);
      }
      return;
    }
    await sleep(pauseMs);
  }
  throw new Error(`Version ${version} is not ready: ${run.wrangler.redact(found.problem ?? '')}`);
}

const isSubset = (some: readonly string[], all: readonly string[]) =>
  some.every((one) => all.includes(one));

/**
 * The answer of a version to `/ready`: the obstacle, if any, and the parts that it names as failed.
 */
interface Report {
  problem: string | undefined;
  failed: string[];
  /** The shards that it leaves alone. */
  restoring: string[];
}

const readyReport = z.object({
  version: z.string(),
  checks: z.record(z.string(), z.string()).default({}),
  next_shard: z.number().optional(),
});

/** Asks one version, in as many requests as its shards need. */
export async function askReady(run: DeployRun, version: string): Promise<Report> {
  const whole: Report = { problem: undefined, failed: [], restoring: [] };
  for (let from: number | undefined = 0; from !== undefined;) {
    const { next, ...part } = await askPart(run, version, from);
    whole.problem ??= part.problem;
    // Each part asks the directory, KV and the queues again.
    whole.failed = [...new Set([...whole.failed, ...part.failed])];
    whole.restoring.push(...part.restoring);
    from = next !== undefined && next > from ? next : undefined;
  }
  return whole;
}

/**
 * Asks a version about the shards from a number on. The platform may need seconds to know a
 * version, a new host minutes.
 */
async function askPart(
  run: DeployRun,
  version: string,
  from: number,
): Promise<Report & { next?: number | undefined }> {
  const { deployment, paths } = run;
  const query = from > 0 ? `?from_shard=${from}` : '';
  const refused = (problem: string) => ({ problem, failed: [], restoring: [] });
  try {
    const response = await run.fetch(`https://${deployment.host}/ready${query}`, {
      headers: {
        Authorization: `Bearer ${readSecrets(paths.secrets).READY_KEY}`,
        'Cloudflare-Workers-Version-Overrides': `${deployment.name}="${version}"`,
      },
      redirect: 'manual',
      signal: AbortSignal.timeout(15_000),
    });
    const text = await response.text();
    const status = `status ${response.status}: ${text.slice(0, 500)}`;
    if (response.status !== 200 && response.status !== 503) return refused(status);
    const { version: answering, checks, next_shard: next } = readyReport.parse(JSON.parse(text));
    if (answering !== version) return refused(`version ${answering} answered`);
    const named = (state: string) => Object.keys(checks).filter((name) => checks[name] === state);
    const problem = response.status === 200 ? undefined : status;
    return { problem, failed: named('failed'), restoring: named('restoring'), next };
  } catch (error) {
    return refused(String(error));
  }
}

/** Writes the rows of shards that get stores from now on. A second run changes nothing. */
export const openShardsStatement = (shards: number): string => {
  const rows = Array.from({ length: shards }, (_, shard) => `(${shard})`).join(', ');
  return `insert into shards (number) values ${rows} on conflict do nothing`;
};

/** Opens the new shards. An open shard gets stores, so the live version must know it. */
export const openNewShards = (run: DeployRun) =>
  queryDatabase(run, 'DIRECTORY', openShardsStatement(run.deployment.shards));
