import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface WorkerBuild {
  /** The temporary folder of the build; the caller deletes it. */
  folder: string;
  /** The script that a deployment would upload. */
  script: string;
  /** Size of the upload after gzip, in KiB. */
  gzippedKiB: number;
}

/** Builds the Worker as a deployment would, without network access. */
export function buildWorker(): WorkerBuild {
  const folder = mkdtempSync(join(tmpdir(), 'store-api-bundle-'));
  const output = execFileSync(
    'wrangler',
    ['deploy', 'src/index.ts', '--dry-run', '--outdir', folder],
    {
      encoding: 'utf8',
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const gzippedKiB = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);
  return { folder, script: join(folder, 'index.js'), gzippedKiB };
}
