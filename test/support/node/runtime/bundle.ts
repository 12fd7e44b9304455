import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Metafile, transformSync } from 'esbuild';
import { makeOnce } from './make-once.ts';

export interface WorkerBuild {
  /** The folder of the build; a test run shares it. */
  folder: string;
  /** The script that a deployment would upload. */
  script: string;
  /** Size of the upload after gzip, in KiB. */
  gzippedKiB: number;
  /** How much of it are the texts of pages and mails, in three languages. */
  gzippedTextsKiB: number;
}

/** Returns the texts among the sources of a build, as small as the build makes them. */
function readTexts(metafile: string): string {
  const { outputs } = JSON.parse(readFileSync(metafile, 'utf8')) as Metafile;
  const sources = Object.values(outputs).flatMap(({ inputs }) => Object.keys(inputs));
  return sources
    .filter((source) => /^src\/(?:web\/texts|mail\/templates)\//.test(source))
    .map((source) => {
      const loader = source.endsWith('x') ? 'tsx' : 'ts';
      return transformSync(readFileSync(source, 'utf8'), { loader, minify: true }).code;
    })
    .join('');
}

const metafileOf = (folder: string) => join(folder, 'meta.json');

/** Builds the Worker as a deployment would, without network access; once in a test run. */
export async function buildWorker(): Promise<WorkerBuild> {
  const folder = await makeOnce('build', (out) => {
    const output = execFileSync(
      'wrangler',
      ['deploy', 'src/index.ts', '--dry-run', '--outdir', out, '--metafile', metafileOf(out)],
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
  const gzippedTextsKiB = gzipSync(readTexts(metafileOf(folder))).length / 1024;
  return { folder, script: join(folder, 'index.js'), gzippedKiB, gzippedTextsKiB };
}
