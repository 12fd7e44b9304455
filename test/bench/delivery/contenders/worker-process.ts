/** Runs a Worker in the real runtime, in a separate process; `variant` is the built script. */
import type { Miniflare } from 'miniflare';
import { seal } from '../../../../src/base/crypto/seal.ts';
import { maxConcurrentSends } from '../../../../src/webhooks/delivery/leased-endpoint.ts';
import {
  fireCron,
  migrateRuntime,
  startRuntime,
  wranglerVars,
} from '../../../support/node/runtime/runtime.ts';
import { benchEndpoints, readSetup } from '../setup.ts';

const setup = readSetup();
const runtime = await startRuntime({
  script: setup.variant,
  persist: setup.state,
  ...(setup.isKilled && { bindings: { ENDPOINT_LEASE_SECONDS: '2' } }),
});
if (setup.isFirst) await seed(runtime);
console.log(`ready ${(await runtime.ready).origin}`);
if (setup.isKilled) {
  const fire = () => void fireCron(runtime).catch((error: unknown) => console.error(error));
  fire();
  setInterval(fire, 1_000);
}

async function seed(runtime: Miniflare): Promise<void> {
  await migrateRuntime(runtime);
  const db = await runtime.getD1Database('STORE_0');
  const sealed = await seal(
    { current: wranglerVars.SEALING_KEY, previous: undefined },
    `whsec_${'A'.repeat(43)}=`,
    'webhook-secret:1',
  );
  // Each prepared statement is a separate call into the runtime, so one statement inserts all rows.
  // They have received before: the first delivery to a URL is another measurement.
  const endpoints = JSON.stringify(benchEndpoints(setup));
  await db.batch([
    db.prepare('insert into placements (store_id, works) values (1, 1)'),
    db.prepare('create table bench_changes (n integer)'),
    db.prepare('create table bench_log (endpoint integer, event text, status integer)'),
    db
      .prepare(
        `insert into webhook_endpoints (id, store_id, url, url_folded, name, name_folded,
           secret_current, concurrency, proven_at, created_at, updated_at)
         select value ->> 'id', 1, value ->> 'url', '', '', '', ?2, ?3, 1, 0, 0 from json_each(?1)`,
      )
      .bind(endpoints, sealed, maxConcurrentSends),
    db
      .prepare(
        `insert into webhook_subscriptions
         select 1, value ->> 'event', value ->> 'id' from json_each(?)`,
      )
      .bind(endpoints),
  ]);
}
