/**
 * `npm run bench`: measures bundle size, start-up CPU, rows read per page, and throughput next to a
 * bare Worker. It also compares parallel uses of codes and refresh tokens with other authorization
 * servers.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeProductionConfig } from '../support/node/deploy/production-config.ts';
import { printCosts } from './costs/costs.ts';
import { compareRequests } from './requests.ts';
import { compareSizes } from './scale.ts';
import { compareSearches } from './search-load.ts';
import { compareRaces } from './token-races.ts';
import { printTools } from './tools.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-startup-'));

/**
 * Returns the bundle size and the median start-up CPU in milliseconds, as wrangler measures them.
 */
function startup(runs: number): { bundle: string; active: number } {
  const outfile = join(scratch, 'startup.cpuprofile');
  const config = writeProductionConfig(scratch);
  const outputs = Array.from({ length: runs }, () =>
    execFileSync(
      'wrangler',
      ['check', 'startup', `--args=--config=${config}`, '--outfile', outfile],
      { encoding: 'utf8' },
    ),
  );
  const actives = outputs.map((output) => Number(/Active: ([\d.]+) ms/.exec(output)?.[1]));
  return {
    bundle: /Bundle: (.*)/.exec(outputs[0] ?? '')?.[1] ?? 'unknown',
    active: actives.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN,
  };
}

const { bundle, active } = startup(5);
console.log(`bundle ${bundle} (its budget is in test/process/build/bundle.test.ts)`);
console.log(`start-up CPU ${active.toFixed(1)} ms, median of 5 (aim: under 60 ms)`);
rmSync(scratch, { recursive: true });
await compareSizes();
await compareSearches();
await printCosts();
await compareRequests();
await printTools();
await compareRaces();
