import { createHash } from 'node:crypto';
import { mkdirSync, existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve, join } from 'node:path';
import { randomBase64url } from '../base/crypto/random.ts';
import { setupPath } from '../base/page-paths.ts';
import { readFreshRecord } from '../docs/build/build-record.ts';
import { ensureDocs } from '../docs/build/ensure-docs.ts';
import { formatBanner, formatEmptyBanner } from './banner.ts';
import type { LocalRuntime } from './node/runtime.ts';
import {
  parseStartOptions,
  startUsage,
  type StartOptions,
  assertPortIsFree,
} from './node/start-options.ts';
import type * as SeedModule from './seed/seed.ts';

/**
 * `npm start` and `npm run dev` (run in Node): create the databases, seed the demo and serve the
 * Worker in workerd. Databases, keys and the inbox are kept in the state folder. `npm run dev`
 * restarts the Worker after each change.
 */

const root = resolve(import.meta.dirname, '../..');

let runtime: LocalRuntime | undefined;
let isStopping = false;

/**
 * Stops the runtime and exits. Further signals, such as the one that npm passes on, are ignored.
 */
async function stop(code: number) {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => process.exit(code), 5_000).unref();
  await runtime?.close();
  process.exit(code);
}

/**
 * Replaces the handlers of Miniflare, which would exit with a failure before its databases are
 * closed.
 */
function handleSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.removeAllListeners(signal).on(signal, () => void stop(0));
  }
}

/** Seconds since the start of the program, which npm and Node precede. */
const seconds = () => (performance.now() / 1_000).toFixed(1);

/**
 * Runs one step of the start, and says that it does. A failure is printed together with `advice`
 * and stops the program.
 */
async function step<T>(name: string, advice: string, work: () => T | Promise<T>): Promise<T> {
  if (name !== 'reading the command line') console.log(`npm start: ${name} (${seconds()} s)`);
  try {
    return await work();
  } catch (error) {
    if (!isStopping)
      console.error(`npm start: ${name}: ${describeError(error)}\n${advice}`.trimEnd());
    await stop(1);
    // Nothing after this step may run while the program stops.
    return new Promise(() => undefined);
  }
}

const describeError = (error: unknown): string =>
  error instanceof Error
    ? [error.message, ...(error.cause ? [describeError(error.cause)] : [])].join('\n  ')
    : String(error);

async function start({ port, state: stateFolder, watch, empty }: StartOptions) {
  const state = resolve(root, stateFolder);
  const resetAdvice = `To start with empty databases, delete ${state} and run npm start again.`;
  handleSignals();
  await step(`looking at port ${port}`, '', () => assertPortIsFree(port));
  const prepared = isPrepared(root, state, empty);
  let seed: Promise<typeof SeedModule> | undefined;

  const opened = await step(
    'building the Worker and opening its databases',
    `Is everything installed? Try npm ci. ${resetAdvice}`,
    async () => {
      const { openLocalRuntime } = await import('./node/runtime.ts');
      // Reports a folder that cannot be created as the failure of this step.
      mkdirSync(state, { recursive: true });
      const setupToken = readSetupToken(state);
      const options = { root, port, state, setupToken, onLog: printLogLine, isPrepared: prepared };
      const opening = openLocalRuntime(options);
      opening.catch(() => undefined);
      // Node reads hundreds of files for it while other processes read the configuration.
      if (!prepared) seed = import('./seed/seed.ts');
      seed?.catch(() => undefined);
      return (runtime = await opening);
    },
  );
  handleSignals();
  const importing = seed;
  if (importing) {
    await step('applying the migrations', resetAdvice, async () => {
      const { applyMigrations } = await import('./node/migrate.ts');
      await Promise.all(opened.databases.map(applyMigrations));
    });
    const configurationAdvice =
      'The demo needs the local configuration: wrangler.toml, and no .dev.vars that changes it.';
    const stage = empty ? 'opening the shards' : 'seeding the demo';
    await step(stage, `${configurationAdvice}\n${resetAdvice}`, async () => {
      const { openShards, seedDemo } = await importing;
      const bindings = await opened.getSetupBindings();
      await (empty ? openShards(bindings) : seedDemo(bindings, Date.now()));
      recordPrepared(root, state, empty);
    });
  }
  const origin = `http://localhost:${port}`;
  await step('starting the Worker', 'Look at the lines above.', async () => {
    await opened.serve();
    const { status } = await fetch(`${origin}/health`);
    if (status !== 200) throw new Error(`/health returned ${status}.`);
  });
  console.log(`npm start: ready after ${seconds()} s`);
  console.log(
    empty
      ? formatEmptyBanner(origin, await findSetupLink(origin, readSetupToken(state)))
      : formatBanner(origin, process.platform === 'win32'),
  );
  runCron(opened);
  await buildDocs();
  if (watch) await opened.watch(printReload);
}

/**
 * Builds the documentation unless it is up to date. The service answers meanwhile, and `/docs` says
 * that it is being built.
 */
async function buildDocs() {
  if (readFreshRecord(root)) return;
  printLogLine('info', 'npm start: building the documentation');
  try {
    const [problem, ...others] = await ensureDocs(root);
    printLogLine('info', `npm start: the documentation is there after ${seconds()} s`);
    if (problem === undefined) return;
    const advice = `The documentation has ${others.length + 1} problems. npm run build:docs lists them.`;
    printLogLine('warn', `npm start: ${problem}\nnpm start: ${advice}`);
  } catch (error) {
    printLogLine('error', `npm start: building the documentation: ${describeError(error)}`);
  }
}

const printReload = (level: string, message: string) =>
  printLogLine(level, `npm run dev: ${message}`);

/** Prints a line of the Worker's log unchanged. */
function printLogLine(level: string, line: string) {
  if (isStopping) return;
  if (level === 'error' || level === 'warn') console.error(line);
  else console.log(line);
}

/**
 * Triggers cron every minute, since the local runtime does not. Also triggers it at once, so that
 * deliveries of the last run are sent.
 */
function runCron({ crons, triggerCron }: LocalRuntime) {
  const tick = async () => {
    for (const cron of crons.filter((cron) => cron === '* * * * *')) {
      const outcome = await triggerCron(cron).catch(describeError);
      if (outcome !== 'ok') printLogLine('error', `npm start: cron ${cron}: ${outcome}`);
    }
  };
  void tick();
  setInterval(() => void tick(), 60_000);
}

/**
 * Exits with the parent process: npm sends a signal only to its shell, which does not pass it on.
 */
function stopWithParent() {
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) void stop(0);
  }, 500);
}

/**
 * Files that the databases of a first start are created from: the migrations, and the demo data
 * with its code.
 */
const sources = [
  'wrangler.toml',
  'drizzle/*/*.sql',
  'src/demo/seed/*.ts',
  'src/stores/test-stores/*.ts',
];

const digestOf = (root: string, empty: boolean) => {
  const hash = createHash('sha256').update(`${empty}\0`);
  for (const file of globSync(sources, { cwd: root }).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
};

const recordPath = (state: string) => join(state, 'prepared');

/**
 * Whether the databases of a state folder have all migrations and, unless `empty`, the demo data of
 * these sources.
 */
const isPrepared = (root: string, state: string, empty: boolean): boolean =>
  existsSync(join(state, 'v3')) &&
  existsSync(recordPath(state)) &&
  readFileSync(recordPath(state), 'utf8') === digestOf(root, empty);

/** Records that they have. */
const recordPrepared = (root: string, state: string, empty: boolean): void =>
  writeFileSync(recordPath(state), digestOf(root, empty));

/** Returns the token of the set-up link of a state folder, which is generated once. */
function readSetupToken(state: string): string {
  const file = join(state, 'setup-token');
  if (!existsSync(file)) writeFileSync(file, randomBase64url(32), { mode: 0o600 });
  return readFileSync(file, 'utf8').trim();
}

/**
 * Returns the link that creates the first operator; `undefined` if there is one already: then its
 * page does not exist.
 */
async function findSetupLink(origin: string, token: string): Promise<string | undefined> {
  const link = origin + setupPath(token);
  return (await fetch(link)).ok ? link : undefined;
}

stopWithParent();

await start(
  await step('reading the command line', startUsage, () =>
    parseStartOptions(process.argv.slice(2)),
  ),
);
