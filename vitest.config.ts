import { globSync, readFileSync } from 'node:fs';
import { matchesGlob } from 'node:path';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { unstable_readConfig } from 'wrangler';
import { ensureDocs } from './src/docs/build/ensure-docs.ts';
import { memoryFolder } from './test/support/memory-folder.ts';
import { patience } from './test/support/patience.ts';
import { SlowestFirst } from './test/support/setup/slowest-first.ts';

const { queues }: { queues: { producers: { binding: string }[] } } = unstable_readConfig({
  config: './wrangler.toml',
});
// The Worker serves it, so its folder must exist before the pool starts.
// `test/process/build/docs.test.ts` fails for what is wrong with it; other tests do without the
// newest texts.
await ensureDocs('.').catch((error: unknown) => console.warn(String(error)));
const directoryMigrations = await readD1Migrations('./drizzle/directory');
const storeMigrations = await readD1Migrations('./drizzle/store');

/** Tests of pure functions and of data; they need no Worker runtime. */
const unitTests = [
  'test/http/access/network.test.ts',
  'test/data/grants/scopes.test.ts',
  'test/attacks/{low/special-use.test.ts,cost/text-cost.slow.test.ts}',
  'test/client/**/*.test.ts',
  'test/base/codecs/**/*.test.ts',
  'test/sales/{personal-data,state-machines}.test.ts',
  'test/catalog/transfers/{csv,table-lines,table-numbers}.test.ts',
  'test/base/crypto/hmac.test.ts',
  'test/data/audit/window.test.ts',
  'test/deploy/**/*.test.ts',
  'test/docs/openapi/*.test.ts',
  'test/docs/guides.test.ts',
  'test/http/error-codes.test.ts',
  'test/oauth/redirect-uris.test.ts',
  'test/web/{brand,messages,terms}.test.ts',
  'test/ops/{reseal-secrets,watch}.test.ts',
  'test/web/sign-in/{check-credentials,form-token,password,hashing-slots}.test.ts',
  'test/specification/{actions,endpoints,event-sources,readme,route-groups,source-comments}.test.ts',
  'test/webhooks/delivery/{apply-result,outcome,retry-policy}.test.ts',
  'test/webhooks/{check-url,signature,url-rules}.test.ts',
];

/**
 * Tests that replace modules or the platform's cryptography, such as the simulated delivery: no
 * other file may share their modules.
 */
const simulationTests = [
  'test/process/delivery/simulat*.test.ts',
  'test/web/sign-in/check-credentials.test.ts',
  'test/ops/watch.test.ts',
];

/**
 * Tests of whole processes, clients of other authors, and browsers; and three that take long enough
 * to begin among the first.
 */
const processTests = [
  'test/{process,clients,browser}/**/*.test.ts',
  'test/deploy/{deploy,copy-store,real-wrangler.slow}.test.ts',
];

/** Packages of `test/clients` and `test/bench` bring tests of their own. */
const packageTests = ['**/node_modules/**'];

/** Whether this is a run of `npm run test:slow`. */
const isSlow = process.env.SLOW !== undefined;

/** Tests that need a clock, programs of other authors, or much time; `npm test` leaves them out. */
const slowTests = ['test/**/*.slow.test.ts', 'test/clients/**/*.test.ts'];

/**
 * A slow run has these files, and those of the suite that make all their random runs and all kinds
 * of a case in it.
 */
const slowRun = globSync('test/**/*.test.ts', { exclude: packageTests }).filter(
  (file) =>
    slowTests.some((pattern) => matchesGlob(file, pattern)) ||
    /\/support\/(?:slow|mcp\/doors)\.ts'/.test(readFileSync(file, 'utf8')),
);

/**
 * The files of a project in this run: all that match `include` but the slow ones, or only those of
 * a slow run.
 */
const ofRun = (include: readonly string[], exclude: readonly string[] = []) => ({
  include: isSlow
    ? slowRun.filter((file) => include.some((pattern) => matchesGlob(file, pattern)))
    : [...include],
  exclude: [...packageTests, ...exclude, ...(isSlow ? [] : slowTests)],
  provide: { isSlow },
});

/**
 * Ends a test that is red, on the busiest machine. Longer than `patience`, whose failure says what
 * did not happen.
 */
const limits = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: patience } };

/**
 * Processes and browsers wait much of their time, so three files at once keep two cores busy; those
 * of a slow run wait longer. Each worker loads the sources once, so a further one costs more than
 * it saves.
 */
const waiting = { ...limits, maxWorkers: isSlow ? 7 : 3, sequence: { groupOrder: 0 } };

/**
 * A runtime is busy all the time, and loads and migrates everything once; so are pure functions.
 */
const busy = { ...limits, maxWorkers: 2, sequence: { groupOrder: 1 } };

/** Loads a package that names a source map without its sources, which would print a warning. */
const withoutSourceMap = {
  name: 'without-source-map',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.includes('/standardwebhooks/')
      ? readFileSync(id.replace(/\?.*/, ''), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
      : undefined,
};

/**
 * Tests hash passwords at a thousandth of the cost: a hash names its costs, so the code that
 * verifies it is the same.
 */
const cheapPasswords = {
  name: 'cheap-passwords',
  enforce: 'pre' as const,
  transform(code: string, id: string) {
    if (!id.endsWith('/src/accounts/sign-in/password.ts')) return undefined;
    const costs = '{ ln: 15, r: 8, p: 3 }';
    if (!code.includes(costs)) throw new Error(`${id}: the costs of a password are not ${costs}`);
    return code.replace(costs, '{ ln: 6, r: 8, p: 3 }');
  },
};

/**
 * Makes the runtimes that start from now on keep their databases in memory, since each commit waits
 * for the disk otherwise.
 */
function keepDatabasesInMemory() {
  const folder = memoryFolder();
  if (folder) process.env.TMPDIR = folder;
}

/**
 * Gives the young objects of an isolate more room in the runtimes that start from now on, so that
 * fewer grow old before they are garbage. It takes a tenth of the time of these tests.
 */
function giveYoungObjectsRoom() {
  process.env.MINIFLARE_WORKERD_V8_FLAGS ??= '--min-semi-space-size=16 --max-semi-space-size=64';
}

/** The tests in workerd; `test/traces` takes their runtime. */
export const workerProject = {
  plugins: [
    withoutSourceMap,
    cheapPasswords,
    // A function, since processes of other projects start before these runtimes and use the disk.
    cloudflareTest(() => {
      keepDatabasesInMemory();
      giveYoungObjectsRoom();
      return {
        wrangler: { configPath: './wrangler.toml' },
        miniflare: {
          d1Databases: {
            // Two shards whose counters a test of moves raises.
            SPARE_0: 'spare-0-test',
            SPARE_1: 'spare-1-test',
            // Shards whose stores are copied to a bucket and brought back from it.
            COPIED_0: 'copied-0-test',
            COPIED_1: 'copied-1-test',
            COPIED_2: 'copied-2-test',
            // A shard whose tables a test changes in steps, as a release would.
            CHANGED: 'changed-test',
            // A shard in which nothing is to do, of the test that measures an idle sweep.
            QUIET: 'quiet-test',
            // A directory in which nothing is to do, of the test that counts what an idle minute of
            // cron costs.
            QUIET_DIRECTORY: 'quiet-directory-test',
            // A directory without users, of the test that sets a deployment up.
            EMPTY_DIRECTORY: 'empty-directory-test',
          },
          // A queue without a consumer: deliveries in the background would keep the run from
          // ending. Tests call consumers themselves; test/process runs the real queues.
          queueProducers: Object.fromEntries(
            queues.producers.map(({ binding }) => [binding, { queueName: 'unread-wakeups' }]),
          ),
          bindings: {
            LOCAL_HOSTS: 'api.test',
            // Tests count the rows of a request; those of the log of requests set it themselves.
            SUCCESSES_PER_ROW: '0',
            DIRECTORY_MIGRATIONS: directoryMigrations,
            STORE_MIGRATIONS: storeMigrations,
          },
        },
      };
    }),
  ],
  test: {
    name: 'worker',
    ...ofRun(['test/**/*.test.ts'], [...unitTests, ...processTests, 'test/bench/**']),
    // Each test makes its own store, so files share an isolate and nothing is wiped between them.
    isolate: false,
    setupFiles: [
      'test/support/setup/quiet-log.ts',
      'test/support/setup/migrate.ts',
      'test/support/webhooks/check-after-each.ts',
    ],
    ...busy,
  },
};

export default defineConfig({
  test: {
    sequence: { sequencer: SlowestFirst },
    silent: 'passed-only',
    reporters: ['default', './test/support/setup/status-coverage-reporter.ts'],
    projects: [
      {
        test: {
          name: 'process',
          globalSetup: 'test/support/setup/run-folder.ts',
          ...ofRun(processTests, simulationTests),
          // Wrangler, the runtime and the browser driver are loaded once per process, not once per
          // file.
          isolate: false,
          ...waiting,
        },
      },
      { test: { name: 'simulation', ...ofRun(simulationTests), ...waiting } },
      {
        test: {
          name: 'unit',
          ...ofRun(unitTests, [...processTests, ...simulationTests]),
          isolate: false,
          ...busy,
        },
      },
      workerProject,
    ],
  },
});
