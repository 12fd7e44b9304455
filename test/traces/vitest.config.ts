import { defineConfig } from 'vitest/config';
import { workerProject } from '../../vitest.config.ts';
import { recordEntries } from './record-entries.ts';

/**
 * `npm run traces`: the tests of this folder, in the runtime of the others, with each call of a
 * function of `src` recorded.
 */
export default defineConfig({
  root: process.cwd(),
  plugins: [...workerProject.plugins, recordEntries],
  test: {
    ...workerProject.test,
    include: ['test/traces/*.trace.ts'],
    exclude: ['**/node_modules/**'],
    provide: { isSlow: false },
    silent: false,
    reporters: ['default'],
  },
});
