import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'store-api-bundle-'));

afterAll(() => rmSync(folder, { recursive: true }));

describe('a deployment', () => {
  it('weighs less than 300 KiB, and carries no languages of zod', () => {
    const said = execFileSync('wrangler', ['deploy', '--dry-run', '--outdir', folder], {
      encoding: 'utf8',
    });
    const gzipped = Number(/gzip: ([\d.]+) KiB/.exec(said)?.[1]);
    expect(gzipped).toBeLessThan(300);
    // `import { z }` would bring them: esbuild leaves out what is not used of a namespace, not of an object.
    expect(readFileSync(join(folder, 'index.js'), 'utf8')).not.toContain('caractères');
  });
});
