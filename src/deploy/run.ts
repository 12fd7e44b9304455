import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { neededChanges } from '../data/shards/long-changes.ts';
import { CloudflareApi } from './cloudflare-api.ts';
import type { Deployment } from './deployment-file.ts';
import { deploymentResources, type Resources } from './deployment-resources.ts';
import type { LocalConfig } from './local-config.ts';
import {
  createProductionConfig,
  createWatchConfig,
  type ResourceIds,
} from './production-config.ts';
import { Wrangler, type Execute } from './wrangler.ts';

/** The versions of a Worker, the newest first, and those among which its traffic is divided. */
export interface LiveWorker {
  versions: { id: string; tag: string }[];
  /** Per cent, by version. */
  traffic: Map<string, number>;
}

/** Data that all steps of one run share. Nothing of it outlives the run: the account is asked. */
export interface DeployRun {
  /** The folder of the project. */
  root: string;
  deployment: Deployment;
  local: LocalConfig;
  resources: Resources;
  wrangler: Wrangler;
  api: CloudflareApi;
  print: (line: string) => void;
  paths: {
    /** Git-ignored folder of derived files. */
    folder: string;
    /** The derived configuration. */
    config: string;
    secrets: string;
    /** The configuration of the Worker that watches, and its secrets. */
    watchConfig: string;
    watchSecrets: string;
  };
  /** Ids that the account has, as far as the steps have asked. */
  ids: { databases: Record<string, string>; namespaces: Record<string, string> };
  /** The Worker as it was found; `undefined` if there is none yet. */
  worker: LiveWorker | undefined;
  /** Whether the host leads to the Worker already. */
  isHosted: boolean;
  /** Whether the host may be taken from what has it now. */
  isHostTakenOver: boolean;
  /** Whether a database that is gone is made again, empty. */
  isLossAccepted: boolean;
  /**
   * The lock of this run: the machine and the process, and its end by the clock of this machine
   * once it is taken.
   */
  lock: { holder: string; until?: number };
  /** How long a new version has to become ready, and how often it is asked. */
  ready: { timeoutMs: number; pauseMs: number };
  /** The long changes that this release relies on: every shard must have finished them. */
  neededChanges: readonly string[];
  /** Whether the release may break what the API promises its callers. */
  mayBreakCallers: boolean;
  /** Asks `/ready` and the document of the API. */
  fetch: typeof fetch;
}

/** Choices of the caller, and parts that tests replace. */
export type RunEnds = Partial<
  Pick<
    DeployRun,
    'fetch' | 'ready' | 'isHostTakenOver' | 'isLossAccepted' | 'mayBreakCallers' | 'neededChanges'
  >
> & {
  execute?: Execute;
};

interface RunOptions {
  root: string;
  deploymentFile: string;
  deployment: Deployment;
  local: LocalConfig;
  print: (line: string) => void;
}

/**
 * Begins a run. Throws if the deployment file and wrangler.toml give no valid configuration. Calls
 * no service.
 */
export function createRun(options: RunOptions, { execute, ...ends }: RunEnds = {}): DeployRun {
  const { root, deploymentFile, deployment, local, print } = options;
  const folder = join(root, '.wrangler/deploy', deployment.name);
  const wrangler = new Wrangler(root, print, execute);
  const run = {
    root,
    deployment,
    local,
    resources: deploymentResources(local, deployment),
    wrangler,
    api: new CloudflareApi(wrangler, print, ends.fetch ?? fetch),
    print,
    paths: {
      folder,
      config: join(folder, 'wrangler.json'),
      secrets: deploymentFile.replace(/(?:\.json)?$/, '.secrets.json'),
      watchConfig: join(folder, 'watch.json'),
      watchSecrets: join(folder, 'watch.secrets.json'),
    },
    ids: { databases: {}, namespaces: {} },
    worker: undefined,
    isHosted: false,
    isHostTakenOver: false,
    isLossAccepted: false,
    mayBreakCallers: false,
    lock: {
      holder: `${hostname().replaceAll(/[^\w.-]/g, '')}:${process.pid}:${randomUUID().slice(0, 8)}`,
    },
    // The certificate of a new host can take minutes.
    ready: { timeoutMs: 300_000, pauseMs: 3_000 },
    neededChanges: neededChanges(),
    fetch,
    ...ends,
  };
  deriveConfigs(run, sampleIds(run.resources));
  return run;
}

/** Values of the right form where ids are not known yet. */
function sampleIds({ databases, namespaces }: Resources): ResourceIds {
  const idOf = (index: number) =>
    `00000000-0000-4000-8000-${String(index + 123_456).padStart(12, '0')}`;
  const idsOf = (all: readonly { binding: string }[], first: number) =>
    Object.fromEntries(all.map(({ binding }, index) => [binding, idOf(first + index)]));
  return { databases: idsOf(databases, 0), namespaces: idsOf(namespaces, 100_000) };
}

/** The configurations of the service, and of the Worker that watches if there is one. */
export function deriveConfigs(
  { local, deployment, root, paths, wrangler }: DeployRun,
  ids: ResourceIds,
) {
  const account_id = wrangler.account ?? deployment.account_id;
  const source = {
    local,
    deployment: { ...deployment, account_id },
    ids,
    root,
    folder: paths.folder,
  };
  return { service: createProductionConfig(source), watch: createWatchConfig(source) };
}
