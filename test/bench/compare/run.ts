/**
 * `npm run bench:compare -- <commit> [<commit>]`: the speed of the second commit, or of the working
 * tree, over that of the first, in interleaved pairs (`BENCH_PAIRS`, 30). Above 1 is faster.
 */
import { compareVersions } from './compare.ts';

const [base, version] = process.argv.slice(2);
if (base === undefined) throw new Error('usage: npm run bench:compare -- <commit> [<commit>]');
const pairs = Number(process.env.BENCH_PAIRS ?? 30);
console.log(`${version ?? 'working tree'} over ${base}: medians of ${pairs} interleaved pairs`);
for (const { load, cpu, quartiles, rate } of await compareVersions(base, version, pairs)) {
  const [low, high] = quartiles.map((ratio) => ratio.toFixed(2));
  console.log(
    `${load.padEnd(8)} by CPU time ${cpu.toFixed(3)} (half of the pairs ${low} to ${high}), by requests per second ${rate.toFixed(3)}`,
  );
}
