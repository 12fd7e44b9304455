import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isInstalled } from '../../support/node/is-installed.ts';
import type { Case } from './cases.ts';

/** Somebody who delivers. */
export interface Contender {
  name: string;
  /** Script of its process, which takes a `Setup`. */
  process: string;
  /** What the process is told beside. */
  variant: string;
}

/** Everybody who can be measured on this machine. */
export interface Field {
  ours: Contender;
  plain: Contender;
  /** BullMQ by how its Redis persists; nothing where Redis is not installed. */
  bullmq: Record<'snapshots' | 'everysec' | 'always', Contender> | undefined;
}

/** Builds the Workers into the folder. */
export function buildField(folder: string): Field {
  const worker = (name: string, source: string): Contender => ({
    name,
    process: 'worker-process.ts',
    variant: built(folder, source),
  });
  const bullmq = (variant: string, name: string): Contender => ({
    name: `bullmq ${name}`,
    process: 'bullmq-server.ts',
    variant,
  });
  return {
    ours: worker('ours', 'lanes-worker'),
    plain: worker('plain', 'plain-worker'),
    bullmq: isInstalled('redis-server')
      ? {
          snapshots: bullmq('snapshots', 'rdb'),
          everysec: bullmq('everysec', 'aof'),
          always: bullmq('always', 'aof always'),
        }
      : undefined,
  };
}

/** Who is timed, ours last. How Redis persists is compared in one case; elsewhere it is as one does who means to keep jobs. */
export function timedIn({ ours, plain, bullmq }: Field, wanted: Case): Contender[] {
  if (!bullmq) return [plain, ours];
  const { snapshots, everysec, always } = bullmq;
  const isCompared = wanted.endpoints === 40 && wanted.delayMs === 0 && !wanted.isHalfHung;
  return [plain, everysec, ...(isCompared ? [snapshots, always] : []), ours];
}

/** Who is killed, ours last. */
export const killedOf = ({ ours, plain, bullmq }: Field): Contender[] => [
  plain,
  ...(bullmq ? [bullmq.snapshots, bullmq.everysec] : []),
  ours,
];

function built(folder: string, name: string): string {
  const outfile = join(folder, `${name}.js`);
  const externals = ['--external:cloudflare:*', '--external:node:*'];
  const options = ['--bundle', '--format=esm', ...externals, '--minify', `--outfile=${outfile}`];
  execFileSync('esbuild', [`test/bench/delivery/${name}.ts`, ...options], { stdio: 'ignore' });
  return outfile;
}
