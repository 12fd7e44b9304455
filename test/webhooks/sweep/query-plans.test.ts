import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { sweepTasks } from '../../../src/ops/sweep-tasks.ts';
import { countingDatabase, noCost, type StatementCost } from '../../support/api/measure.ts';
import { sweepAll } from '../../support/sweep.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';

/** A scan on purpose: the index of open deliveries. */
const allowed = [/^SCAN webhook_deliveries USING COVERING INDEX webhook_deliveries_due$/];

it('no task of the sweep scans a table', async () => {
  const statements: StatementCost[] = [];
  const world = {
    ...env,
    ...wakeupBindings(() => ({ sendBatch: () => Promise.resolve() })),
    RESTORING_SHARDS: '1',
    STORE_0: countingDatabase(env.STORE_0, noCost(), statements),
  } as unknown as Env;
  await sweepAll(world, () => Date.UTC(1999, 0, 1), sweepTasks);
  expect(statements.length).toBeGreaterThanOrEqual(25);
  const plans = await Promise.all(
    statements.map(async ({ sql }) => {
      const numbered = [...sql.matchAll(/\?(\d+)/g)].map(([, number]) => Number(number));
      const count = numbered.length > 0 ? Math.max(...numbered) : sql.split('?').length - 1;
      const values = Array<number>(count).fill(0);
      const explained = env.STORE_0.prepare(`explain query plan ${sql}`).bind(...values);
      return (await explained.all<{ detail: string }>()).results.map(({ detail }) => detail);
    }),
  );
  const scans = plans
    .flat()
    .filter((detail) => /^SCAN (?:webhook|oauth|carts|transactions|[a-z]$)/.test(detail))
    .filter((detail) => !allowed.some((one) => one.test(detail)));
  expect(scans).toEqual([]);
});
