import { readFileSync } from 'node:fs';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { unstable_readConfig } from 'wrangler';
import { ensureDocs } from './src/docs/build/ensure-docs.ts';
import { SlowestFirst } from './test/support/setup/slowest-first.ts';

const { queues }: { queues: { producers: { binding: string }[] } } = unstable_readConfig({
  config: './wrangler.toml',
});
// The Worker serves it, so its folder must exist before the pool starts. `test/process/build/docs.test.ts` fails for what is wrong
// with it; other tests do without the newest texts.
await ensureDocs('.').catch((error: unknown) => console.warn(String(error)));
const directoryMigrations = await readD1Migrations('./drizzle/directory');
const storeMigrations = await readD1Migrations('./drizzle/store');

/** Tests of pure functions and of data; they need no Worker runtime. */
const unitTests = [
  'test/access/{network,scopes}.test.ts',
  'test/attacks/{low/special-use,cost/text-cost}.test.ts',
  'test/client/**/*.test.ts',
  'test/codecs/**/*.test.ts',
  'test/commerce/{personal-data,state-machines}.test.ts',
  'test/crypto/hmac.test.ts',
  'test/db/audit-window.test.ts',
  'test/deploy/**/*.test.ts',
  'test/docs/openapi/*.test.ts',
  'test/docs/guides.test.ts',
  'test/http/error-codes.test.ts',
  'test/oauth/apps/redirect-uris.test.ts',
  'test/pages/**/*.test.ts',
  'test/platform/reseal-secrets.test.ts',
  'test/session/{form-token,throttle/*}.test.ts',
  'test/specification/{endpoints,event-sources,readme,route-groups}.test.ts',
  'test/webhooks/delivery/{endpoint-health,outcome,retry-policy}.test.ts',
  'test/webhooks/signing/signature.test.ts',
  'test/webhooks/url-policy/{check,rules}.test.ts',
];

/** The simulated delivery replaces the platform's cryptography, so no other file may share its modules. */
const simulationTests = ['test/process/delivery/simulat*.test.ts'];

/** Tests of whole processes, clients of other authors, and browsers. */
const processTests = ['test/{process,clients,browser}/**/*.test.ts'];

/** Loads a package that names a source map without its sources, which would print a warning. */
const withoutSourceMap = {
  name: 'without-source-map',
  enforce: 'pre' as const,
  load: (id: string) =>
    id.includes('/standardwebhooks/')
      ? readFileSync(id.replace(/\?.*/, ''), 'utf8').replace(/^\/\/# sourceMappingURL=.*$/m, '')
      : undefined,
};

/** With `THOROUGH=1`, tests of random runs make all of them (`test/support/thorough.ts`). */
const define = { 'import.meta.env.THOROUGH': JSON.stringify(process.env.THOROUGH ?? '') };

const workerProject = {
  define,
  plugins: [
    withoutSourceMap,
    cloudflareTest({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        d1Databases: {
          // A shard and its replica, of the tests that read from far away (`test/support/replica.ts`).
          REPLICATED: 'replicated-test',
          REPLICA: 'replica-test',
          // Two shards whose counters a test of moves raises.
          SPARE_0: 'spare-0-test',
          SPARE_1: 'spare-1-test',
          // A shard in which nothing is to do, of the test that measures an idle sweep.
          QUIET: 'quiet-test',
          // A directory without users, of the test that sets a deployment up.
          EMPTY_DIRECTORY: 'empty-directory-test',
        },
        // A queue without a consumer: deliveries in the background would keep the run from ending.
        // Tests call consumers themselves; test/process runs the real queues.
        queueProducers: Object.fromEntries(
          queues.producers.map(({ binding }) => [binding, { queueName: 'unread-wakeups' }]),
        ),
        bindings: {
          LOCAL_HOSTS: 'api.test',
          DIRECTORY_MIGRATIONS: directoryMigrations,
          STORE_MIGRATIONS: storeMigrations,
        },
      },
    }),
  ],
  test: {
    name: 'worker',
    include: ['test/**/*.test.ts'],
    exclude: [...unitTests, ...processTests, 'test/bench/**'],
    // Each test makes its own store, so files share an isolate and nothing is wiped between them.
    isolate: false,
    setupFiles: [
      'test/support/setup/quiet-log.ts',
      'test/support/setup/migrate.ts',
      'test/support/webhooks/check-after-each.ts',
    ],
    // Generous, so that a busy machine does not fail a run.
    testTimeout: 60_000,
  },
};

export default defineConfig({
  test: {
    // Processes wait much of their time, so three files at once keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    silent: 'passed-only',
    reporters: ['default', './test/support/setup/status-coverage-reporter.ts'],
    projects: [
      {
        define,
        test: {
          name: 'process',
          globalSetup: 'test/support/setup/run-folder.ts',
          include: processTests,
          exclude: simulationTests,
          // Wrangler, the runtime and the browser driver are loaded once per process, not once per file.
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      { define, test: { name: 'simulation', include: simulationTests, testTimeout: 120_000 } },
      { test: { name: 'unit', include: unitTests, isolate: false } },
      workerProject,
    ],
  },
});
