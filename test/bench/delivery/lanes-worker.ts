import { sql } from 'drizzle-orm';
import { openShard } from '../../../src/db/open.ts';
import { rawStatement } from '../../../src/db/raw.ts';
import { StoreDb } from '../../../src/db/store.ts';
import type { EventName } from '../../../src/events/catalogue.ts';
import { sendWakes } from '../../../src/events/hints.ts';
import { publish } from '../../../src/events/publish.ts';
import worker from '../../../src/index.ts';
import { defaultZone } from '../../../src/wire/zone.ts';
import { counted, cost } from './cost.ts';

const store = {
  id: 1,
  alias: 'bench',
  shard: 0,
  zone: defaultZone,
  base_url: '',
  active: true,
  test: false,
};

/** Our delivery behind a bare door: a change of one row and its event, without the API around it. */
export default {
  async fetch(request, env, context) {
    if (request.method === 'GET') return Response.json(cost);
    const name = new URL(request.url).pathname.slice(1) as EventName;
    const resource = await request.json<{ n: number }>();
    const now = Date.now();
    const wake = (endpoints: number[], isSlow = false) => {
      const wakes = endpoints.map((endpoint) => ({ endpoint, wakeAt: now, isSlow }));
      context.waitUntil(sendWakes(env, 0, wakes, now));
    };
    const db = new StoreDb(store, openShard(counted(env.STORE_0)), { now, wake });
    const change = rawStatement(db, sql`insert into bench_changes (n) values (${resource.n})`);
    await publish(db, [change], [{ name, resource }]);
    return new Response(null, { status: 201 });
  },
  queue: (batch, env, context) =>
    worker.queue(batch, { ...env, STORE_0: counted(env.STORE_0) }, context),
  scheduled: (event, env) => worker.scheduled(event, env),
} satisfies ExportedHandler<Env>;
