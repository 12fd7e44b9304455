import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildWorker } from '../../support/node/runtime/bundle.ts';

const build = await buildWorker();

describe('the production bundle', () => {
  it('weighs less than 480 KiB, 90 more with the server for assistants, and contains no translations of zod', () => {
    expect(build.gzippedKiB).toBeLessThan(480 + 90);
    // `import { z }` would pull them in: esbuild drops unused members of a namespace, but not of an object.
    expect(readFileSync(build.script, 'utf8')).not.toContain('caractères');
  });

  it('contains no texts of `explain`, which only the document needs', () => {
    // A call without `@__PURE__` would keep the function and its key.
    expect(readFileSync(build.script, 'utf8')).not.toContain('x-meanings');
  });
});
