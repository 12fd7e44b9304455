import { sql } from 'drizzle-orm';
import { defaultZone } from '../../../../src/base/codecs/fields/zone.ts';
import { openDatabase } from '../../../../src/data/core/open-database.ts';
import { rawStatement } from '../../../../src/data/core/raw.ts';
import { StoreDb } from '../../../../src/data/core/store-db.ts';
import type { EventName } from '../../../../src/data/grants/event-catalogue.ts';
import worker from '../../../../src/index.ts';
import { publish } from '../../../../src/webhooks/events/publish.ts';
import { sendWakeups } from '../../../../src/webhooks/wake-endpoints.ts';
import { countingRows, rowCounts } from './row-counter.ts';

const store = {
  id: 1,
  alias: 'bench',
  shard: 0,
  zone: defaultZone,
  base_url: '',
  active: true,
  test: false,
};

/**
 * The delivery of this service without its API: a request writes one row and publishes one event.
 */
export default {
  async fetch(request, env, context) {
    if (request.method === 'GET') return Response.json(rowCounts);
    const name = new URL(request.url).pathname.slice(1) as EventName;
    const resource = await request.json<{ n: number }>();
    const now = Date.now();
    const wake = (endpoints: number[], isSlow = false) => {
      const wakes = endpoints.map((endpoint) => ({ endpoint, nextAttemptAt: now, isSlow }));
      context.waitUntil(sendWakeups(env, 0, wakes, now));
    };
    const db = new StoreDb(store, openDatabase(countingRows(env.STORE_0)), {
      now,
      wakeEndpoints: wake,
    });
    const change = rawStatement(db, sql`insert into bench_changes (n) values (${resource.n})`);
    await publish(db, [change], [{ name, resource }]);
    return new Response(null, { status: 201 });
  },
  queue: (batch, env, context) =>
    worker.queue(batch, { ...env, STORE_0: countingRows(env.STORE_0) }, context),
  scheduled: (event, env) => worker.scheduled(event, env),
} satisfies ExportedHandler<Env>;
