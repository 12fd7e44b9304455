import { expect, it } from 'vitest';
import { compareTools } from '../../bench/compare/compare.ts';

/**
 * The most that a load may cost by a tool, in requests over HTTP, and a list of tools in
 * milliseconds; 1.3 where none is named.
 */
const aims: Record<string, number> = {
  // A read of one record costs 1.4 times that over HTTP (`src/mcp/README.md`).
  'get-one': 1.45,
  list: 1.45,
  'tools/list': 5,
};
const aimOf = (load: string) => aims[load] ?? 1.3;

it(
  'a change by a tool costs at most 1.3 times its request over HTTP, by CPU time, and a list of tools at most 5 ms',
  { timeout: 600_000 },
  async () => {
    // A third of the pairs is enough for a load whose median keeps its aim.
    const { calls, listMs } = await compareTools(24, (median, load) => median <= aimOf(load));
    expect(listMs).toBeLessThan(aimOf('tools/list'));
    // Other work of a busy machine moves the median, so a loss must also show in three quarters of
    // the pairs.
    const slower = calls.filter(({ load, quartiles: [low] }) => low > aimOf(load));
    expect(slower).toEqual([]);
  },
);
