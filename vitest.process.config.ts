import { defineConfig } from 'vitest/config';

/** Tests of whole processes, clients that are not ours, and browsers; they run in Node, two files at a time. */
export default defineConfig({
  test: {
    include: ['test/{process,clients,browser}/**/*.test.ts'],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
