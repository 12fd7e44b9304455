import { defaultZone } from '../../../../src/base/codecs/fields/zone.ts';
import { settingsOf, type Settings } from '../../../../src/base/settings.ts';
import { openDatabase } from '../../../../src/data/core/open-database.ts';
import { StoreDb } from '../../../../src/data/core/store-db.ts';
import type { DeliveryDeps } from '../../../../src/webhooks/delivery/deps.ts';
import { sendFirst } from '../../../../src/webhooks/delivery/first-send.ts';
import { sendWakeups } from '../../../../src/webhooks/wake-endpoints.ts';
import { memoryArchive } from '../../fakes/memory-archive.ts';
import { wranglerVars } from '../../node/runtime/runtime.ts';
import { wakeupBindings } from '../wakeup-queues.ts';
import type { SimulatedProcess } from './process.ts';
import { respondAs } from './receivers.ts';
import type { SimulationState } from './state.ts';

/** Everything that one invocation of the Worker uses. */
export interface Invocation {
  env: Env;
  deps: DeliveryDeps;
  settings: Settings;
  /** Opens the only store. */
  openStore: () => StoreDb;
  /** Resolves when the deliveries that its changes claimed have been sent. */
  sent: () => Promise<void>;
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
const isJoinRequest = (body: unknown) =>
  typeof body === 'object' && body !== null && 'join' in body;
const connectionLost = 'Network connection lost.';

/**
 * Creates an invocation for a process. Every use of the database, a queue or a receiver is a
 * failpoint.
 */
export function createInvocation(state: SimulationState, process: SimulatedProcess): Invocation {
  const { db } = state;
  const queue = (name: string) => ({
    sendBatch: (sent: MessageSendRequest[]) =>
      process.reachFailpoint('queue', 'Too Many Requests', () => {
        for (const { body, delaySeconds = 0 } of sent) {
          const at = state.now + delaySeconds * 1000;
          const message = { queue: name, body, at, attempts: 1 };
          if (isJoinRequest(body) && state.random() < 0.7) state.onJoinRequest?.(message);
          else state.messages.push(message);
        }
      }),
  });
  const batch = (all: D1PreparedStatement[]) =>
    process.reachFailpoint('database', connectionLost, async () => {
      await state.duringFailpoint?.('database', 'before');
      const results = await db.batch(all);
      process.onCommitted(all);
      await state.duringFailpoint?.('database', 'after');
      return results;
    });
  const env = {
    ...wranglerVars,
    // So few that a handful of events is more than one batch, and leases are shared.
    DELIVERY_BATCH_SIZE: '2',
    ...wakeupBindings(queue),
    WAKEUP_DLQ: queue('dead'),
    ARCHIVE: memoryArchive(state.objects, (work) =>
      process.reachFailpoint('archive', 'R2: internal error', work),
    ),
    STORE_0: { prepare: (sql: string) => guarded(process, db.prepare(sql)), batch },
  } as unknown as Env;
  const ports: DeliveryDeps = {
    now: () => state.now,
    random: state.random,
    fetch: (_url, init) =>
      process.reachFailpoint('receiver', connectionLost, async () => {
        await state.duringFailpoint?.('receiver', 'before');
        const response = await respondAs(state, process, init);
        await state.duringFailpoint?.('receiver', 'after');
        return response;
      }),
  };
  const wakeEndpoints = (endpoints: number[], isSlow = false) => {
    const wakeups = endpoints.map((endpoint) => ({ endpoint, nextAttemptAt: state.now, isSlow }));
    sendWakeups(env, 0, wakeups, state.now).catch(() => undefined);
  };
  const sends: Promise<void>[] = [];
  const handle = () =>
    new StoreDb(store, openDatabase(env.STORE_0), {
      now: state.now,
      archive: env.ARCHIVE,
      wakeEndpoints,
      sendFirst: (claimed) => void sends.push(sendFirst(env, 0, claimed, ports)),
    });
  const sent = async () => void (await Promise.all(sends));
  return { env, deps: ports, openStore: handle, sent, settings: settingsOf(env) };
}

/** Makes a statement that runs outside a batch a failpoint; tasks of the sweep do that. */
function guarded(process: SimulatedProcess, statement: D1PreparedStatement): D1PreparedStatement {
  const bind = statement.bind.bind(statement);
  const all = statement.all.bind(statement);
  return Object.assign(statement, {
    bind: (...values: unknown[]) => guarded(process, bind(...values)),
    all: () => process.reachFailpoint('database', connectionLost, all),
  });
}
