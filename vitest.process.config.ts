import { defineConfig } from 'vitest/config';

/** Tests that start, kill and restart whole processes; they run in Node, one file at a time. */
export default defineConfig({
  test: {
    include: ['test/process/**/*.test.ts'],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
