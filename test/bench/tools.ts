import { compareTools } from './compare/compare.ts';

const pairs = Number(process.env.BENCH_PAIRS ?? 30);

/** Prints what calls of tools cost over HTTP, and `tools/list`. */
export async function printTools(): Promise<void> {
  const { calls, listMs } = await compareTools(pairs);
  for (const { load, ratio, quartiles } of calls) {
    const [low, high] = quartiles.map((one) => one.toFixed(2));
    console.log(
      `${load.padEnd(8)} as a tool over HTTP: ${ratio.toFixed(2)} by CPU time (half of ${pairs} pairs ${low} to ${high}; aim: at most 1.3)`,
    );
  }
  console.log(`tools/list ${listMs.toFixed(2)} ms of CPU in a warm isolate (aim: at most 5 ms)`);
}
