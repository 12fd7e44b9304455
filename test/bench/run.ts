/**
 * `npm run bench`: what the Worker weighs, what its start costs, what a page reads, and how much of a bare
 * Worker's speed the rows keep, and what races for codes and refresh tokens give here and at other servers.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compareRaces } from './race.ts';
import { compareRequests } from './requests.ts';
import { compareSizes } from './scale.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-startup-'));

/** Bundle size and CPU of the start as wrangler measures them; the median of some runs, in milliseconds. */
function startup(runs: number): { bundle: string; active: number } {
  const outfile = join(scratch, 'startup.cpuprofile');
  const outputs = Array.from({ length: runs }, () =>
    execFileSync('wrangler', ['check', 'startup', '--outfile', outfile], { encoding: 'utf8' }),
  );
  const actives = outputs.map((output) => Number(/Active: ([\d.]+) ms/.exec(output)?.[1]));
  return {
    bundle: /Bundle: (.*)/.exec(outputs[0] ?? '')?.[1] ?? 'unknown',
    active: actives.toSorted((a, b) => a - b)[Math.floor(runs / 2)] ?? Number.NaN,
  };
}

const { bundle, active } = startup(5);
console.log(`bundle ${bundle} (aim: under 300 KiB gzipped)`);
console.log(`start-up CPU ${active.toFixed(1)} ms, median of 5 (aim: under 60 ms)`);
rmSync(scratch, { recursive: true });
await compareSizes();
await compareRequests();
await compareRaces();
