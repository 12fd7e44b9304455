import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { sweep } from '../../../src/webhooks/sweep/run.ts';
import { wakeupBindings } from '../../support/webhooks/wakeup-queues.ts';

/** Scans on purpose: endpoints by the purge, and the index of open deliveries. */
const allowed = [
  /^SCAN e$/,
  /^SCAN webhook_deliveries USING COVERING INDEX webhook_deliveries_due$/,
];

it('no task of the sweep scans a table', async () => {
  const statements: { sql: string; values: unknown[] }[] = [];
  const watched = {
    prepare: (sql: string) => ({
      bind: (...values: unknown[]) => {
        statements.push({ sql, values });
        return env.STORE_0.prepare(sql).bind(...values);
      },
    }),
    batch: (all: D1PreparedStatement[]) => env.STORE_0.batch(all),
  } as unknown as D1Database;
  const world = {
    ...env,
    ...wakeupBindings(() => ({ sendBatch: () => Promise.resolve() })),
    STORE_0: watched,
  };
  await sweep(world, () => Date.UTC(1999, 0, 1));
  expect(statements.length).toBeGreaterThanOrEqual(15);
  const plans = await Promise.all(
    statements.map(async ({ sql, values }) => {
      const explained = env.STORE_0.prepare(`explain query plan ${sql}`).bind(...values);
      return (await explained.all<{ detail: string }>()).results.map(({ detail }) => detail);
    }),
  );
  const scans = plans
    .flat()
    .filter((detail) => /^SCAN (?:webhook|[a-z]$)/.test(detail))
    .filter((detail) => !allowed.some((one) => one.test(detail)));
  expect(scans).toEqual([]);
});
