import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { isInstalled } from '../../../support/node/receivers/is-installed.ts';
import type { BenchCase } from '../cases.ts';

/** An implementation of webhook delivery to measure. */
export interface DeliveryContender {
  name: string;
  /** Script of its process; its argument is a `ContenderSetup`. */
  process: string;
  /** Passed to the process as `ContenderSetup.variant`. */
  variant: string;
}

/** The contenders that can run on this machine. */
export interface Contenders {
  ours: DeliveryContender;
  plain: DeliveryContender;
  /** BullMQ by the persistence of its Redis; `undefined` if Redis is not installed. */
  bullmq: Record<'snapshots' | 'everysec' | 'always', DeliveryContender> | undefined;
}

/** Builds the Workers into a folder. */
export function buildContenders(folder: string): Contenders {
  const worker = (name: string, source: string): DeliveryContender => ({
    name,
    process: 'contenders/worker-process.ts',
    variant: buildScript(folder, source),
  });
  const bullmq = (variant: string, name: string): DeliveryContender => ({
    name: `bullmq ${name}`,
    process: 'contenders/bullmq-server.ts',
    variant,
  });
  return {
    ours: worker('ours', 'service-worker'),
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

/**
 * The contenders of a speed case, ours last. One case compares all Redis persistence modes; the
 * others use `everysec`.
 */
export function timedContenders(
  { ours, plain, bullmq }: Contenders,
  benchCase: BenchCase,
): DeliveryContender[] {
  if (!bullmq) return [plain, ours];
  const { snapshots, everysec, always } = bullmq;
  const isCompared = benchCase.endpoints === 40 && benchCase.delayMs === 0 && !benchCase.isHalfHung;
  return [plain, everysec, ...(isCompared ? [snapshots, always] : []), ours];
}

/** The contenders that are killed, ours last. */
export const killedContenders = ({ ours, plain, bullmq }: Contenders): DeliveryContender[] => [
  plain,
  ...(bullmq ? [bullmq.snapshots, bullmq.everysec] : []),
  ours,
];

function buildScript(folder: string, name: string): string {
  const outfile = join(folder, `${name}.js`);
  const externals = ['--external:cloudflare:*', '--external:node:*'];
  const options = ['--bundle', '--format=esm', ...externals, '--minify', `--outfile=${outfile}`];
  execFileSync('esbuild', [`test/bench/delivery/contenders/${name}.ts`, ...options], {
    stdio: 'ignore',
  });
  return outfile;
}
