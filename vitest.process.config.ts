import { defineConfig } from 'vitest/config';

/** Tests of whole processes, clients that are not ours, and browsers; they run in Node, one file at a time. */
export default defineConfig({
  test: {
    include: ['test/{process,clients,browser}/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
