import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Bundle {
  /** Folder with `index.js`, as it would be uploaded. */
  folder: string;
  /** What wrangler says of its size. */
  size: string;
}

/** Builds the Worker as a deployment would, without a network. */
export function bundle(): Bundle {
  const folder = mkdtempSync(join(tmpdir(), 'store-api-bundle-'));
  const output = execFileSync('wrangler', ['deploy', '--dry-run', '--outdir', folder], {
    encoding: 'utf8',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { folder, size: /Total Upload: .*/.exec(output)?.[0] ?? 'unknown' };
}
