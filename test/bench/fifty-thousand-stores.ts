import { dayOf } from '../support/webhooks/day/plans.ts';
/**
 * `npm run bench:scale`: a day of fifty thousand stores in 100 and in 1,000 shards, simulated with
 * the code of the service. Fails if an event is lost, invented, left, or late for no reason.
 * `SCALE_SHARDS=100` runs one of them.
 */
import { assertAccounts, formatDay } from '../support/webhooks/day/report.ts';
import { runDay } from '../support/webhooks/day/run-day.ts';

const sizes = (process.env.SCALE_SHARDS ?? '100,1000').split(',').map(Number);

for (const shards of sizes) {
  const start = performance.now();
  const report = await runDay(dayOf(shards));
  console.log(
    `${formatDay(report)}\ncomputed in ${Math.round((performance.now() - start) / 1000)} s\n`,
  );
  assertAccounts(report);
}
