import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { neededChanges } from '../data/shards/long-changes.ts';
import { CloudflareApi } from './cloudflare-api.ts';
import type { Deployment } from './deployment-file.ts';
import { deploymentResources, type Resources } from './deployment-resources.ts';
import type { LocalConfig } from './local-config.ts';
import { createProductionConfig, createWatchConfig } from './production-config.ts';
import { StateFile, type State } from './state.ts';
import { Wrangler, type Execute } from './wrangler.ts';

/** The turn of one run of `npm run deploy`: a lease of one row of the directory. */
interface DeployTurn {
  /** The machine and the process, for the message that another run gets. */
  holder: string;
  /** The end of the lease by the clock of this machine; `undefined` until it is taken. */
  until?: number;
}

const describeMachine = () =>
  `${hostname().replaceAll(/[^\w.-]/g, '')}:${process.pid}:${randomUUID().slice(0, 8)}`;

/** Data that all steps of one run share. */
export interface DeployRun {
  /** The folder of the project. */
  root: string;
  deployment: Deployment;
  local: LocalConfig;
  resources: Resources;
  state: StateFile;
  wrangler: Wrangler;
  api: CloudflareApi;
  print: (line: string) => void;
  paths: {
    /** Git-ignored folder of derived files and of the state of the deployment. */
    folder: string;
    /** The derived configuration. */
    config: string;
    secrets: string;
    /** The configuration of the Worker that watches, and its secrets. */
    watchConfig: string;
    watchSecrets: string;
  };
  /** Whether the host may be taken from what has it now. */
  isHostTakenOver: boolean;
  /** The turn of this run, and whether it may be taken from another run. */
  turn: DeployTurn;
  isLockTakenOver: boolean;
  /** How long a new version has to become ready, and how often it is asked. */
  ready: { timeoutMs: number; pauseMs: number };
  /** The long changes that this release relies on: every shard must have finished them. */
  neededChanges: readonly string[];
  /** Whether the release may break what the API promises its callers. */
  mayBreakCallers: boolean;
  /** Asks `/ready` and the document of the API. */
  fetch: typeof fetch;
}

/** One step of a deployment. It can run again at any time: it changes nothing that is already done. */
export interface Step {
  title: string;
  /** The actions of the step, one line each, without a call to the account. */
  plan: (run: DeployRun) => string[];
  run: (run: DeployRun) => Promise<void>;
}

/** Parts that tests replace. */
export type RunEnds = Partial<
  Pick<
    DeployRun,
    'fetch' | 'ready' | 'isHostTakenOver' | 'isLockTakenOver' | 'mayBreakCallers' | 'neededChanges'
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

export function createRun(options: RunOptions, { execute, ...ends }: RunEnds = {}): DeployRun {
  const { root, deploymentFile, deployment, local, print } = options;
  const folder = join(root, '.wrangler/deploy', deployment.name);
  const wrangler = new Wrangler(root, print, execute);
  return {
    root,
    deployment,
    local,
    resources: deploymentResources(local, deployment),
    state: new StateFile(join(folder, 'state.json')),
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
    isHostTakenOver: false,
    isLockTakenOver: false,
    mayBreakCallers: false,
    turn: { holder: describeMachine() },
    // The certificate of a new host can take minutes.
    ready: { timeoutMs: 300_000, pauseMs: 3_000 },
    neededChanges: neededChanges(),
    fetch,
    ...ends,
  };
}

/** The configurations with the ids of `state`: of the service, and of the Worker that watches if there is one. */
export function deriveConfigs({ local, deployment, root, paths }: DeployRun, state: State) {
  const { databases, namespaces, account_id: account } = state;
  const source = {
    local,
    deployment: { ...deployment, account_id: account ?? deployment.account_id },
    ids: {
      databases: Object.fromEntries(
        Object.entries(databases).map(([binding, { id }]) => [binding, id]),
      ),
      namespaces,
    },
    root,
    folder: paths.folder,
  };
  return { service: createProductionConfig(source), watch: createWatchConfig(source) };
}
