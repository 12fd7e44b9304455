import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import { queryDatabase, readTraffic } from './deploy-account.ts';
import { watchName } from './deployment-resources.ts';
import { outputFile } from './prepare.ts';
import { readSecrets } from './secrets-file.ts';
import type { State } from './state.ts';
import type { DeployRun, Step } from './step.ts';
import { formatCommand } from './wrangler.ts';

/** Sources that a version does not contain. The documentation uses `texts`, too. */
const isOutside = (file: string) =>
  /^(?:demo|deploy|platform\/watch)\//.test(file) ||
  (!/\.tsx?$/.test(file) && !/^docs\/.+\..+$/.test(file));

/** A digest of everything that a version consists of. The same digest is the same release. */
function computeFingerprint({ root, paths }: DeployRun): string {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !isOutside(file))
    .sort()
    .map((file) => join(root, 'src', file));
  const files = [...sources, join(root, 'package-lock.json'), paths.config, paths.secrets];
  return digestFiles(root, files);
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
  return hash.digest('hex');
}

/**
 * Deploys the Worker that watches, before the service names it as a reader of its log. The addresses of alerts are secrets
 * there, since they may hold tokens.
 */
const deployWatch: Step = {
  title: 'Deploy the Worker that watches, and posts alerts',
  plan: ({ deployment }) =>
    deployment.alerts
      ? [`npx wrangler deploy --config watch.json   # ${watchName(deployment)}`]
      : ['nothing: the deployment file has no address for alerts'],
  run: async (run) => {
    const { deployment, paths, root, state, wrangler } = run;
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
    ];
    const digest = digestFiles(root, [
      ...sources.map((file) => join(root, 'src/platform', file)),
      paths.watchConfig,
      paths.watchSecrets,
    ]);
    if (state.state.watch !== digest) {
      const files = ['--config', paths.watchConfig, '--secrets-file', paths.watchSecrets];
      await wrangler.run(['deploy', ...files]);
      state.update((known) => {
        known.watch = digest;
      });
    }
    rmSync(paths.watchSecrets, { force: true });
  },
};

const uploaded = z.object({
  type: z.enum(['deploy', 'version-upload']),
  version_id: z.string(),
});

const worker = ({ paths }: DeployRun) => ['--config', paths.config];

/** The release of this run. The steps before have made sure that there is one. */
function releaseOf({ state }: DeployRun): NonNullable<State['release']> {
  const { release } = state.state;
  if (!release) throw new Error('No version was uploaded.');
  return release;
}

function updateRelease({ state }: DeployRun, change: Partial<NonNullable<State['release']>>) {
  state.update(({ release }) => void (release && Object.assign(release, change)));
}

/** Not part of a version: uploading one leaves host, cron and consumers as they are. */
async function applyTriggers(run: DeployRun) {
  await run.wrangler.run(['triggers', 'deploy', ...worker(run)]);
  run.state.update((known) => {
    known.isHosted = true;
  });
  updateRelease(run, { hasTriggers: true });
}

/** Divides the traffic among versions. */
const deployVersions = (run: DeployRun, specs: readonly string[]) =>
  run.wrangler.run(['versions', 'deploy', ...specs, '--yes', ...worker(run)]);

const hasTraffic = (
  traffic: NonNullable<Awaited<ReturnType<typeof readTraffic>>>,
  version: string | undefined,
) => traffic.some((one) => one.version_id === version && one.percentage > 0);

const upload: Step = {
  title: 'Upload a version with its secrets',
  plan: ({ state }) => [
    state.state.release
      ? 'npx wrangler versions upload --secrets-file ...   # unless the last one is the same'
      : 'npx wrangler deploy --secrets-file ...   # the first version has the traffic at once',
  ],
  run: async (run) => {
    const { state, print } = run;
    const fingerprint = computeFingerprint(run);
    const current = await readTraffic(run);
    if (state.state.release?.fingerprint === fingerprint) {
      const { version, isLive } = state.state.release;
      const isTaken = isLive && !(current && hasTraffic(current, version));
      print(`  Version ${version} is the same${isTaken ? ', and no longer live' : ''}.`);
      // An operator went back to the version before. This run asks for the same release again.
      if (isTaken) updateRelease(run, { ...previousOf(current), isReady: false, isLive: false });
      return;
    }
    const isFirst = current === undefined;
    const version = await uploadVersion(run, fingerprint, isFirst);
    state.update((known) => {
      known.isHosted ||= isFirst;
      known.release = {
        fingerprint,
        version,
        ...previousOf(current),
        isReady: false,
        isLive: isFirst,
        hasTriggers: isFirst,
      };
    });
  },
};

/** Uploads a version with its secrets, and returns its id. The first one has the traffic at once. */
async function uploadVersion(
  run: DeployRun,
  fingerprint: string,
  isFirst: boolean,
): Promise<string> {
  const output = outputFile(run);
  rmSync(output, { force: true });
  const command = isFirst ? ['deploy'] : ['versions', 'upload'];
  const files = [...worker(run), '--secrets-file', run.paths.secrets];
  await run.wrangler.run([...command, ...files, '--tag', fingerprint.slice(0, 12)], {
    WRANGLER_OUTPUT_FILE_PATH: output,
  });
  return readUploadedVersion(output);
}

/** The version that has most of the traffic, to go back to. */
function previousOf(current: Awaited<ReturnType<typeof readTraffic>>): { previous?: string } {
  const [first] = current?.toSorted((a, b) => b.percentage - a.percentage) ?? [];
  return first ? { previous: first.version_id } : {};
}

/** Reads the id from the output file, one JSON object a line. */
function readUploadedVersion(path: string): string {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
  const entries = lines.map((line) => uploaded.safeParse(JSON.parse(line)).data);
  const version = entries.findLast((entry) => entry !== undefined)?.version_id;
  if (version === undefined) throw new Error('wrangler did not say which version it uploaded.');
  return version;
}

const stage: Step = {
  title: 'Put the version beside the live one, without traffic',
  plan: ({ state }) => [
    state.state.release
      ? formatCommand(['versions', 'deploy', 'NEW@0%', 'LIVE@100%', '--yes'])
      : 'nothing: the first version is live',
  ],
  run: async (run) => {
    const { version, previous, isLive, isReady } = releaseOf(run);
    if (isLive || isReady || previous === undefined) return;
    await deployVersions(run, [`${version}@0%`, `${previous}@100%`]);
    // A first deployment that was cut off has no host, and so no version could answer.
    if (!run.state.state.isHosted) await applyTriggers(run);
  },
};

const checkReady: Step = {
  title: 'Ask the new version whether it is ready',
  plan: ({ deployment }) => [
    `GET https://${deployment.host}/ready, with the header that chooses the version and READY_KEY`,
  ],
  run: async (run) => {
    const { isReady, ...release } = releaseOf(run);
    if (isReady) return;
    await waitUntilReady(run, release);
    updateRelease(run, { isReady: true });
  },
};

/** Waits until a version is ready, or fails in no more parts than the version before. Throws if time ends before that. */
async function waitUntilReady(
  run: DeployRun,
  { version, previous }: { version: string; previous?: string | undefined },
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

/** The answer of a version to `/ready`: the obstacle, if any, and the parts that it names as failed. */
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

/** Asks a version about the shards from a number on. The platform may need seconds to know a version, a new host minutes. */
async function askPart(
  run: DeployRun,
  version: string,
  from: number,
): Promise<Report & { next?: number | undefined }> {
  const { deployment, paths } = run;
  const query = from > 0 ? `?from_shard=${from}` : '';
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
    if (response.status !== 200 && response.status !== 503)
      return { problem: status, failed: [], restoring: [] };
    const { version: answering, checks, next_shard: next } = readyReport.parse(JSON.parse(text));
    if (answering !== version)
      return { problem: `version ${answering} answered`, failed: [], restoring: [] };
    const named = (state: string) => Object.keys(checks).filter((name) => checks[name] === state);
    const problem = response.status === 200 ? undefined : status;
    return { problem, failed: named('failed'), restoring: named('restoring'), next };
  } catch (error) {
    return { problem: String(error), failed: [], restoring: [] };
  }
}

const shiftTraffic: Step = {
  title: 'Give it all the traffic',
  plan: ({ state }) =>
    state.state.release
      ? [formatCommand(['versions', 'deploy', 'NEW@100%', '--yes'])]
      : ['nothing: the first version is live'],
  run: async (run) => {
    const { version, isLive } = releaseOf(run);
    if (isLive) return;
    await deployVersions(run, [`${version}@100%`]);
    updateRelease(run, { isLive: true });
  },
};

const deployTriggers: Step = {
  title: 'Apply host, cron and queue consumers',
  plan: ({ state }) =>
    state.state.release
      ? [formatCommand(['triggers', 'deploy'])]
      : ['nothing: the first deployment does it'],
  run: async (run) => {
    if (releaseOf(run).hasTriggers) return;
    await applyTriggers(run);
  },
};

/** Writes the rows of shards that get stores from now on. A second run changes nothing. */
export const openShardsStatement = (shards: readonly number[]): string =>
  `insert into shards (number) values ${shards.map((shard) => `(${shard})`).join(', ')} on conflict do nothing`;

/** The last step: an open shard gets stores, so the live version must know it. */
const openShards: Step = {
  title: 'Open the new shards',
  plan: ({ deployment, state }) =>
    Array.from({ length: deployment.shards }, (_, shard) =>
      state.state.open_shards.includes(shard)
        ? `shard ${shard}: open`
        : `insert into the directory: shard ${shard}`,
    ),
  run: async (run) => {
    const { deployment, state } = run;
    const closed = Array.from({ length: deployment.shards }, (_, shard) => shard).filter(
      (shard) => !state.state.open_shards.includes(shard),
    );
    if (closed.length === 0) return;
    await queryDatabase(run, 'DIRECTORY', openShardsStatement(closed));
    state.update(({ open_shards: open }) => void open.push(...closed));
  },
};

export const releaseSteps: readonly Step[] = [
  deployWatch,
  upload,
  stage,
  checkReady,
  shiftTraffic,
  deployTriggers,
  openShards,
];
