import { openShard } from '../../../src/db/open.ts';
import { StoreDb } from '../../../src/db/store.ts';
import type { Ports } from '../../../src/events/clock.ts';
import { sendWakes } from '../../../src/events/hints.ts';
import { settingsOf, type Settings } from '../../../src/settings.ts';
import { defaultZone } from '../../../src/wire/zone.ts';
import { variables } from '../node/runtime.ts';
import { hintsTo } from '../queues.ts';
import type { Process } from './process.ts';
import { receive } from './receivers.ts';
import type { World } from './world.ts';

/** What an invocation of the Worker has. */
export interface Invocation {
  env: Env;
  ports: Ports;
  settings: Settings;
  /** The handle of the one store. */
  handle: () => StoreDb;
}

const store = {
  id: 1,
  alias: 's',
  shard: 0,
  zone: defaultZone,
  base_url: '',
  active: true,
  test: false,
};
const isCall = (body: unknown) => typeof body === 'object' && body !== null && 'help' in body;
const lost = 'Network connection lost.';

/** The world as one invocation touches it: every database, queue and receiver is a failpoint of its process. */
export function invocationOf(world: World, process: Process): Invocation {
  const { db } = world;
  const queue = (name: string) => ({
    sendBatch: (sent: MessageSendRequest[]) =>
      process.pass('queue', 'Too Many Requests', () => {
        for (const { body, delaySeconds = 0 } of sent) {
          const at = world.now + delaySeconds * 1000;
          const message = { queue: name, body, at, attempts: 1 };
          if (isCall(body) && world.random() < 0.7) world.onCall?.(message);
          else world.messages.push(message);
        }
      }),
  });
  const batch = (all: D1PreparedStatement[]) =>
    process.pass('database', lost, async () => {
      await world.meanwhile?.('database', 'before');
      const results = await db.batch(all);
      process.recorded(all);
      await world.meanwhile?.('database', 'after');
      return results;
    });
  const env = {
    ...variables,
    // So few that a handful of events is more than a page, and lanes are shared.
    LANE_PAGE: '2',
    ...hintsTo(queue),
    DEAD_HINTS: queue('dead'),
    STORE_0: { prepare: (sql: string) => guarded(process, db.prepare(sql)), batch },
  } as unknown as Env;
  const ports: Ports = {
    now: () => world.now,
    random: world.random,
    fetch: (_url, init) =>
      process.pass('receiver', lost, async () => {
        await world.meanwhile?.('receiver', 'before');
        const response = await receive(world, process, init);
        await world.meanwhile?.('receiver', 'after');
        return response;
      }),
  };
  const wake = (endpoints: number[], isSlow = false) => {
    const wakes = endpoints.map((endpoint) => ({ endpoint, wakeAt: world.now, isSlow }));
    sendWakes(env, 0, wakes, world.now).catch(() => undefined);
  };
  const handle = () => new StoreDb(store, openShard(env.STORE_0), { now: world.now, wake });
  return { env, ports, handle, settings: settingsOf(env) };
}

/** The same statement, whose own run is a failpoint: a duty of cron that needs one statement alone. */
function guarded(process: Process, statement: D1PreparedStatement): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  const all = statement.all.bind(statement);
  return Object.assign(statement, {
    bind: (...values: unknown[]) => guarded(process, bind(...values)),
    all: () => process.pass('database', lost, all),
  });
}
