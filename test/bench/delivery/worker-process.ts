/** A Worker in the real runtime, in a process of its own; `variant` is the built script. */
import type { Miniflare } from 'miniflare';
import { seal } from '../../../src/crypto/seal.ts';
import { slots } from '../../../src/events/deliver-pool.ts';
import { fireCron, migrate, startRuntime, variables } from '../../support/node/runtime.ts';
import { benchEndpoints, setupOfProcess } from './setup.ts';

const setup = setupOfProcess();
const runtime = await startRuntime({
  script: setup.variant,
  persist: setup.state,
  ...(setup.isKilled && { bindings: { LANE_LEASE_SECONDS: '2' } }),
});
if (setup.isFirst) await seed(runtime);
console.log(`ready ${(await runtime.ready).origin}`);
if (setup.isKilled) {
  const fire = () => void fireCron(runtime).catch((error: unknown) => console.error(error));
  fire();
  setInterval(fire, 1_000);
}

async function seed(runtime: Miniflare): Promise<void> {
  await migrate(runtime);
  const db = await runtime.getD1Database('STORE_0');
  const sealed = await seal(variables.SEALING_KEY, `whsec_${'A'.repeat(43)}=`, 'webhook-secret:1');
  await db.batch([
    db.prepare('create table bench_changes (n integer)'),
    db.prepare('create table bench_log (endpoint integer, event text, status integer)'),
    ...benchEndpoints(setup).flatMap(({ id, url, event }) => [
      db
        .prepare(
          `insert into webhook_endpoints (id, store_id, url, url_folded, name, name_folded,
             secret_current, concurrency, created_at, updated_at)
           values (?, 1, ?, '', '', '', ?, ?, 0, 0)`,
        )
        .bind(id, url, sealed, slots),
      db.prepare('insert into webhook_subscriptions values (1, ?, ?)').bind(event, id),
    ]),
  ]);
}
