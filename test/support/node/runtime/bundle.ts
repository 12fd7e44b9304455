import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeOnce } from './make-once.ts';

export interface WorkerBuild {
  /** The folder of the build; a test run shares it. */
  folder: string;
  /** The script that a deployment would upload. */
  script: string;
  /** Size of the upload after gzip, in KiB. */
  gzippedKiB: number;
}

/** Builds the Worker as a deployment would, without network access; once in a test run. */
export async function buildWorker(): Promise<WorkerBuild> {
  const folder = await makeOnce('build', (out) => {
    const output = execFileSync(
      'wrangler',
      ['deploy', 'src/index.ts', '--dry-run', '--outdir', out],
      {
        encoding: 'utf8',
        env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    writeFileSync(join(out, 'output.txt'), output);
  });
  const output = readFileSync(join(folder, 'output.txt'), 'utf8');
  const gzippedKiB = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1]);
  return { folder, script: join(folder, 'index.js'), gzippedKiB };
}
