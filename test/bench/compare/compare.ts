import { execFile, execFileSync, fork, type ChildProcess } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { Contender } from './contender.ts';

/**
 * Requests of one side of a pair. Few, so that what else the machine does meets both sides; many
 * pairs make up for it.
 */
const requestsPerSide = 50;
/**
 * The runtime needs fifty of a request to compile it, and some hundred of a tool, which would not
 * be warm beside it.
 */
const [warmUpRequests, warmUpOfTools] = [300, 600];

/** A kind of request that is measured. */
export interface Load {
  name: string;
  request: (n: number) => { method: 'GET' | 'POST'; path: string; body?: string };
  headers?: Record<string, string>;
  /**
   * Whether each request has an idempotency key, as those of the clients and of tools that create
   * have.
   */
  isKeyed?: boolean;
}

const brands = '/v2/bench/catalog/brands';

const loads: readonly Load[] = [
  { name: 'get-one', request: (n) => ({ method: 'GET', path: `${brands}/${(n % 200) + 1}` }) },
  { name: 'list', request: () => ({ method: 'GET', path: brands }) },
  {
    name: 'create',
    request: (n) => ({
      method: 'POST',
      path: brands,
      body: JSON.stringify({ name: `Marca ${n} ${process.hrtime.bigint()}`, active: true }),
    }),
  },
];

/** The speed of a version over that of its base: above 1 is faster. */
export interface VersionComparison {
  load: string;
  /** By CPU time of the Worker's process: the median of the pairs, and its quartiles. */
  cpu: number;
  quartiles: [number, number];
  /** By requests per second, which other work on the machine disturbs more. */
  rate: number;
}

/** A contender and its process. */
export interface RunningContender extends Contender {
  stop: () => void;
  /** Resolves when its process has ended. */
  ended?: Promise<unknown>;
}

/** Milliseconds of CPU that a process has used (`schedstat` of its threads; Linux only). */
const cpuOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`)
    .map((thread) => {
      try {
        return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]);
      } catch {
        // A thread that has just ended.
        return 0;
      }
    })
    .reduce((sum, nanoseconds) => sum + nanoseconds, 0) / 1e6;

/** The value below which a share of the values lies. */
export const quantile = (values: readonly number[], share: number) =>
  values.toSorted((a, b) => a - b)[Math.round((values.length - 1) * share)] ?? Number.NaN;

/**
 * The packages of this checkout also build an older version; one whose packages differ much fails
 * to build. A checkout has no static files: older local runtimes put two Workers in front of a
 * Worker with files, and the Worker alone is compared.
 */
function checkOut(commit: string, folder: string): string {
  mkdirSync(join(folder, 'dist/docs'), { recursive: true });
  const archive = execFileSync('git', ['archive', commit], { maxBuffer: 2 ** 30 });
  execFileSync('tar', ['x', '-C', folder], { input: archive });
  const config = join(folder, 'wrangler.toml');
  const withoutFiles = readFileSync(config, 'utf8').replace(/^\[assets\]\n(?:(?!\[).*\n)*/m, '');
  writeFileSync(config, withoutFiles);
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** Builds the Worker of a checkout into a folder, and returns its script. */
export async function buildVersion(folder: string, out: string): Promise<string> {
  mkdirSync(join(folder, 'dist/docs'), { recursive: true });
  const wrangler = resolve('node_modules/.bin/wrangler');
  await promisify(execFile)(wrangler, ['deploy', 'src/index.ts', '--dry-run', '--outdir', out], {
    cwd: folder,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  return join(out, 'index.js');
}

/** Serves a built Worker in a process of its own. See `contender.ts` for the other arguments. */
export async function startContender(
  folder: string,
  script: string,
  ...state: string[]
): Promise<RunningContender> {
  const child: ChildProcess = fork(join(import.meta.dirname, 'contender.ts'), [script, ...state], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const contender = await new Promise<Contender>((resolveReady, reject) => {
    child.once('message', (message) => resolveReady(message as Contender));
    child.once('exit', (code) => reject(new Error(`${folder} ended with ${code}`)));
  });
  const ended = new Promise((end) => child.once('exit', end));
  return { ...contender, stop: () => child.disconnect(), ended };
}

/**
 * Sends requests over some connections, and returns the milliseconds of CPU and of time that they
 * took.
 */
export async function measure(
  { url, headers, workerPid }: Contender,
  load: Load,
  amount: number,
  connections = 8,
) {
  let sent = 0;
  const send = async () => {
    while (sent < amount) {
      sent += 1;
      const { path, ...request } = load.request(sent);
      const response = await fetch(`${url.replace(/\/$/, '')}${path}`, {
        ...request,
        headers: {
          ...headers,
          ...load.headers,
          ...(load.isKeyed && { 'idempotency-key': crypto.randomUUID() }),
          'content-type': 'application/json',
        },
      });
      const text = await response.text();
      // A tool that fails is a 200, too.
      if (!response.ok || text.includes('"isError":true')) {
        throw new Error(`${load.name}: ${response.status} ${text}`);
      }
    }
  };
  const before = cpuOf(workerPid);
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, send));
  return { cpu: cpuOf(workerPid) - before, ms: performance.now() - start };
}

/**
 * Ends the pairs of a load early, after a third or two of them: whether their median leaves no
 * doubt that the load keeps its aim.
 */
type IsClear = (median: number, load: string) => boolean;

/**
 * Makes pairs of measurements with the order changed each time, and returns what each of them gave.
 */
export async function comparePairs(
  load: string,
  pairs: number,
  compare: (isReversed: boolean) => Promise<number>,
  isClear: IsClear = () => false,
): Promise<number[]> {
  const ratios: number[] = [];
  while (ratios.length < pairs) {
    ratios.push(await compare(ratios.length % 2 === 1));
    const isStage = [1, 2].some((third) => ratios.length === Math.ceil((pairs * third) / 3));
    if (isStage && isClear(quantile(ratios, 0.5), load)) break;
  }
  return ratios;
}

/**
 * Compares a version with its base, in interleaved pairs. A version is a commit; `undefined` is the
 * working tree. The order of a pair changes each time.
 */
export async function compareVersions(
  base: string,
  version: string | undefined,
  pairs: number,
  isClear: IsClear = () => false,
): Promise<VersionComparison[]> {
  const scratch = mkdtempSync(join(tmpdir(), 'store-api-compare-'));
  const running: RunningContender[] = [];
  try {
    const folders = [base, version].map((commit, index) =>
      commit === undefined ? resolve('.') : checkOut(commit, join(scratch, `side-${index}`)),
    );
    const starting = folders.map(async (folder, index) =>
      startContender(folder, await buildVersion(folder, join(scratch, `out-${index}`))),
    );
    // One may run when the other fails to start, so all that run are known first.
    for (const start of await Promise.allSettled(starting)) {
      if (start.status === 'fulfilled') running.push(start.value);
    }
    const [one, other] = await Promise.all(starting);
    if (!one || !other) throw new Error('two versions are compared');
    const comparisons: VersionComparison[] = [];
    for (const load of loads) {
      for (const contender of running) await measure(contender, load, warmUpRequests);
      const rates: number[] = [];
      const compare = async (isReversed: boolean) => {
        const first = await measure(isReversed ? other : one, load, requestsPerSide);
        const second = await measure(isReversed ? one : other, load, requestsPerSide);
        const [ofBase, ofVersion] = isReversed ? [second, first] : [first, second];
        rates.push(ofBase.ms / ofVersion.ms);
        return ofBase.cpu / ofVersion.cpu;
      };
      const cpus = await comparePairs(load.name, pairs, compare, isClear);
      comparisons.push({
        load: load.name,
        cpu: quantile(cpus, 0.5),
        quartiles: [quantile(cpus, 0.25), quantile(cpus, 0.75)],
        rate: quantile(rates, 0.5),
      });
    }
    return comparisons;
  } finally {
    for (const { stop } of running) stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}

/** A message of the Model Context Protocol as a load. */
const message = (method: string, params: object): ReturnType<Load['request']> => ({
  method: 'POST',
  path: '/mcp?toolsets=catalog',
  body: JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  }),
});

const callOf = (name: string, sent: object) => message('tools/call', { name, arguments: sent });

const mcpHeaders = (method: string, name?: string) => ({
  accept: 'application/json, text/event-stream',
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name !== undefined && { 'mcp-name': name }),
});

/** Each load as a call of its tool. */
const toolLoads: readonly Load[] = [
  {
    name: 'get-one',
    headers: mcpHeaders('tools/call', 'show_brand'),
    request: (n) => callOf('show_brand', { id: (n % 200) + 1 }),
  },
  {
    name: 'list',
    headers: mcpHeaders('tools/call', 'list_brands'),
    request: () => callOf('list_brands', {}),
  },
  {
    name: 'create',
    headers: mcpHeaders('tools/call', 'create_brand'),
    request: (n) =>
      callOf('create_brand', { name: `Marca ${n} ${process.hrtime.bigint()}`, active: true }),
  },
];

const listing: Load = {
  name: 'tools/list',
  headers: mcpHeaders('tools/list'),
  request: () => message('tools/list', {}),
};

/** The cost of calls of tools. */
export interface ToolCosts {
  /**
   * The CPU time of a call over that of the request over HTTP: the median of the pairs, and its
   * quartiles.
   */
  calls: { load: string; ratio: number; quartiles: [number, number] }[];
  /**
   * Milliseconds of CPU of `tools/list` in a warm isolate, with a set of tools: the median of the
   * rounds.
   */
  listMs: number;
}

/**
 * Compares calls of tools with the same requests over HTTP, in interleaved pairs on one running
 * Worker.
 */
export async function compareTools(
  pairs: number,
  isClear: IsClear = () => false,
): Promise<ToolCosts> {
  const scratch = mkdtempSync(join(tmpdir(), 'store-api-tools-'));
  const script = await buildVersion(resolve('.'), join(scratch, 'out'));
  const contender = await startContender(resolve('.'), script);
  try {
    const calls: ToolCosts['calls'] = [];
    for (const [index, tool] of toolLoads.entries()) {
      const plain = { ...loads[index]!, isKeyed: tool.name === 'create' };
      for (const load of [plain, tool]) await measure(contender, load, warmUpOfTools);
      const compare = async (isReversed: boolean) => {
        const costs = new Map<Load, number>();
        for (const load of isReversed ? [tool, plain] : [plain, tool]) {
          costs.set(load, (await measure(contender, load, requestsPerSide)).cpu);
        }
        return costs.get(tool)! / costs.get(plain)!;
      };
      const ratios = await comparePairs(tool.name, pairs, compare, isClear);
      calls.push({
        load: tool.name,
        ratio: quantile(ratios, 0.5),
        quartiles: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      });
    }
    await measure(contender, listing, warmUpRequests);
    const list = async () =>
      (await measure(contender, listing, requestsPerSide)).cpu / requestsPerSide;
    const lists = await comparePairs(listing.name, pairs, list, isClear);
    return { calls, listMs: quantile(lists, 0.5) };
  } finally {
    contender.stop();
    rmSync(scratch, { recursive: true, force: true });
  }
}
