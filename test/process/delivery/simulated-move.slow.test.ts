import { describe, expect, it, vi } from 'vitest';
import { simulateMove } from '../../support/move/simulate-move.ts';
import { useSimulatedRuntime } from '../../support/webhooks/simulation/setup.ts';

/** Number of simulated runs; 1,000 take some minutes. */
const seeds = Number(process.env.SEEDS ?? 50);

// The few rows of the simulated store are several chunks, so that a move dies between them as that
// of a large store does.
vi.mock(import('../../../src/data/shards/read-rows.ts'), async (load) => ({
  ...(await load()),
  isOneChunk: (rows) => rows <= 3,
}));

useSimulatedRuntime();

describe('the simulated move', () => {
  it(
    `keeps one owner and loses nothing in ${seeds} runs with failures, crashes and stalls at every call`,
    { timeout: 1_800_000 },
    async () => {
      const sums: Record<string, number> = {};
      for (let seed = 1; seed <= seeds; seed += 1) {
        const { violations, ...counts } = await simulateMove(seed);
        expect(violations).toEqual([]);
        for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
      }
      expect(sums.moves).toBeGreaterThan(seeds / 2);
      expect(sums.aborts).toBeGreaterThan(0);
      expect(sums.refreshes).toBeGreaterThan(seeds);
      process.stdout.write(`${seeds} seeds, ${JSON.stringify(sums)}\n`);
    },
  );

  it.each([
    [
      'a shard that takes changes of a store that it has not',
      'placements.store_id = ? and placements.state <= ?',
      'placements.store_id = ? and placements.state <= 2 + ?',
    ],
    [
      'a grant that two shards rotate',
      'from "oauth_grants" where id = ? and not (select state',
      'from "oauth_grants" where id = ? and 0 and not (select state',
    ],
    [
      'a switch that leaves the store in its old shard, too',
      'update "placements" set "state" = ? where "placements"."store_id" = ?',
      'update "placements" set "state" = 0 * ? where "placements"."store_id" = ?',
    ],
  ])('finds %s', async (_name, correct, broken) => {
    let rewritten = 0;
    const rewrite = (sql: string) => {
      if (sql.includes(correct)) rewritten += 1;
      return sql.replace(correct, broken);
    };
    const found: string[] = [];
    for (let seed = 1; seed <= 40 && found.length === 0; seed += 1) {
      const { violations } = await simulateMove(seed, rewrite).catch((error: unknown) => ({
        violations: [String(error)],
      }));
      found.push(...violations);
    }
    expect(rewritten).toBeGreaterThan(0);
    expect(found).not.toEqual([]);
  });
});
