import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-pool-workers';
import { defineConfig } from 'vitest/config';
import { unstable_readConfig } from 'wrangler';

const { queues }: { queues: { producers: { binding: string }[] } } = unstable_readConfig({
  config: './wrangler.toml',
});
const directoryMigrations = await readD1Migrations('./drizzle/directory');
const storeMigrations = await readD1Migrations('./drizzle/store');

export default defineConfig({
  plugins: [
    cloudflareTest({
      wrangler: { configPath: './wrangler.toml' },
      miniflare: {
        d1Databases: { STORE_1: 'store-1-test' },
        // A queue that nobody reads: deliveries at work in the background would keep the run from ending.
        // Consumers are called by their tests, and run by themselves in test/process.
        queueProducers: Object.fromEntries(
          queues.producers.map(({ binding }) => [binding, { queueName: 'unread-hints' }]),
        ),
        bindings: {
          DIRECTORY_MIGRATIONS: directoryMigrations,
          STORE_MIGRATIONS: storeMigrations,
        },
      },
    }),
  ],
  // Two isolates for all files: each test makes its own store, so nothing has to be wiped between them.
  test: {
    isolate: false,
    // The request log of a test that passed says nothing new.
    silent: 'passed-only',
    maxWorkers: 2,
    // A machine at work with other things must not fail a run.
    testTimeout: 60_000,
    include: ['test/**/*.test.ts'],
    exclude: ['test/{process,clients,browser,bench}/**'],
    setupFiles: ['test/support/migrate.ts', 'test/support/judge-each.ts'],
    reporters: ['default', './test/support/node/every-status.ts'],
  },
});
