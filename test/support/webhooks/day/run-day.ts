import { sql } from 'drizzle-orm';
import { defaultZone } from '../../../../src/base/codecs/fields/zone.ts';
import { seal } from '../../../../src/base/crypto/seal.ts';
import { hourMs, minuteMs } from '../../../../src/base/durations.ts';
import { openDatabase } from '../../../../src/data/core/open-database.ts';
import { rawStatement } from '../../../../src/data/core/raw.ts';
import { StoreDb } from '../../../../src/data/core/store-db.ts';
import type { EventName } from '../../../../src/data/grants/event-catalogue.ts';
import { numberShardStatements } from '../../../../src/data/shards/shard-numbers.ts';
import { handleSweeps, requestSweeps } from '../../../../src/ops/sweep-queue.ts';
import { publish } from '../../../../src/webhooks/events/publish.ts';
import { wakeEndpoints } from '../../../../src/webhooks/wake-endpoints.ts';
import { handleDeadLetters, handleWakeups } from '../../../../src/webhooks/wakeup-handler.ts';
import { memoryArchive } from '../../fakes/memory-archive.ts';
import { wranglerVars } from '../../node/runtime/runtime.ts';
import { directorySchema, shardSchema } from '../simulation/schema.ts';
import { seededRandom } from '../simulation/seeded-random.ts';
import { useSynchronousCrypto } from '../simulation/synchronous-crypto.ts';
import { SimulatedDatabase, type Isolate } from './databases.ts';
import { platform } from './platform-facts.ts';
import { SimulatedQueue } from './queues.ts';
import { VirtualTime } from './virtual-time.ts';

/** A span of a day in milliseconds from its start. */
export interface Span {
  from: number;
  until: number;
}

/** The load and the faults of a day. */
export interface DayPlan {
  seed: number;
  shards: number;
  /** Of the whole service. */
  stores: number;
  fastQueues: number;
  /** The fast queue that is simulated, with all shards whose wake-ups it takes. */
  queue: number;
  /** Orders that a store has on a day. Each has three events, to one webhook. */
  ordersPerStore: number;
  /** Load by hour of the day: its share of the orders. */
  hours: readonly number[];
  /** The hours of the day that are simulated. */
  simulated: Span;
  /** The first shard of the queue does not answer. */
  stall?: Span;
  /** No shard of the second data centre answers. */
  outage?: Span;
  /** Cron runs, unless a test shows what would be missing. */
  isSwept?: false;
  /** All isolates die at once, and each shard is migrated. */
  releaseAt?: number;
}

/** How a receiver answers. */
type Receiver = 'well' | 'slow' | 'failing' | 'hanging';

export interface SimulatedEvent {
  number: number;
  store: number;
  shard: number;
  receiver: Receiver;
  /** Milliseconds from the start of the day. */
  at: number;
  /** What the caller waited for; `undefined` when it got no answer, or an error. */
  answeredAfter?: number;
  /** The first attempt, and the first that the receiver accepted. */
  attemptedAt?: number;
  acceptedAt?: number;
  attempts: number;
  isCommitted: boolean;
}

export interface DayReport {
  plan: DayPlan;
  /** The simulated shards, the one that stalls first. */
  shards: number[];
  simulatedStores: number;
  events: SimulatedEvent[];
  queues: { name: string; operations: number; longestBacklog: number; mostConsumers: number }[];
  databases: { name: string; calls: number; busyMs: number; longestWaitMs: number }[];
  invocations: number;
  sweeps: number;
  sweepMs: { mean: number; longest: number };
  /** Deliveries whose end is not in the database although their receiver works. */
  unfinished: number;
  deadLetters: number;
  /** Lines of the log by event, of those that are warnings or errors. */
  logged: Record<string, number>;
}

/** A queue whose messages nobody reads. */
const unread = { send: async () => undefined, sendBatch: async () => undefined };

const kinds: readonly EventName[] = ['order.created', 'order.paid', 'product.inventory.updated'];
const secret = 'whsec_AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA=';
/** How long a simulation goes on after the last change. */
export const afterMs = 30 * minuteMs;

const startOfDay = Date.UTC(2031, 5, 3);

/** Of a hundred receivers one fails all day, one hangs, and two take three seconds. */
const receiverOf = (store: number): Receiver =>
  store % 100 === 7
    ? 'failing'
    : store % 100 === 29
      ? 'hanging'
      : store % 50 === 13
        ? 'slow'
        : 'well';

/** Reads of the API, of which each keeps the thread of its shard for a batch of two statements. */
const readsPerOrder = 50;

/** A sweep that takes longer counts as this long in the average. */
const usualSweepMs = 5_000;

/** Statements of a cart, an order and a capture beside their events, and rows that they change. */
const orderWork = { batches: 7, statements: 40, rows: 60 };

/**
 * The second half of the shards is in the second data centre. The directory and the Worker are in
 * the first.
 */
export const isFar = (shard: number, { shards }: DayPlan) => shard >= shards / 2;

/**
 * Simulates a part of a service on a day: one fast queue with all its shards. The sweep, the
 * wake-ups, the leases and the delivery runs are the code of the service, over SQLite and in
 * simulated time. Shards beyond the sample take their turn in the queue of the sweep.
 */
export async function runDay(plan: DayPlan): Promise<DayReport> {
  const time = new VirtualTime(startOfDay);
  const random = seededRandom(plan.seed);
  using _crypto = useSynchronousCrypto(random);
  using _time = time.install();
  const logged: Record<string, number> = {};
  using _log = silenceLog(logged);
  const day = new SimulatedDay(plan, time, random);
  await day.prepare();
  await time.runUntil(startOfDay + plan.simulated.from);
  day.start();
  await time.runUntil(startOfDay + plan.simulated.until);
  // What waits may arrive; no more changes are made.
  await time.runUntil(startOfDay + plan.simulated.until + afterMs);
  return { ...(await day.report()), logged };
}

function silenceLog(logged: Record<string, number>): Disposable {
  const { log, warn, error } = console;
  const count = (line: string) => {
    const { event } = JSON.parse(line) as { event: string };
    logged[event] = (logged[event] ?? 0) + 1;
  };
  Object.assign(console, { log: () => undefined, warn: count, error: count });
  return { [Symbol.dispose]: () => void Object.assign(console, { log, warn, error }) };
}

class SimulatedDay {
  readonly #plan: DayPlan;
  readonly #time: VirtualTime;
  readonly #random: () => number;
  readonly #shards: readonly number[];
  readonly #databases = new Map<number, SimulatedDatabase>();
  readonly #directory: SimulatedDatabase;
  readonly #queues = new Map<string, SimulatedQueue>();
  readonly #events: SimulatedEvent[] = [];
  #isolate: Isolate = { isAlive: true };
  #env = {} as Env;
  #invocations = 0;
  #sweeps = 0;
  #sweepMs = { sum: 0, longest: 0 };
  #deadLetters = 0;

  constructor(plan: DayPlan, time: VirtualTime, random: () => number) {
    this.#plan = plan;
    this.#time = time;
    this.#random = random;
    const all = Array.from({ length: plan.shards }, (_, shard) => shard);
    this.#shards = all.filter((shard) => shard % plan.fastQueues === plan.queue);
    for (const shard of this.#shards) {
      const hopMs = isFar(shard, plan) ? platform.farHopMs : platform.hopMs;
      const schema = [...shardSchema, ...numberShardStatements(shard)];
      this.#databases.set(shard, new SimulatedDatabase(time, schema, hopMs));
    }
    this.#directory = new SimulatedDatabase(time, directorySchema, platform.hopMs);
    // A call of the sample stands for those of all shards, as if they came at once.
    this.#directory.stretch = plan.shards / this.#shards.length;
    for (let number = 0; number < plan.fastQueues; number += 1) this.#addQueue('fast', number, 6);
    for (const number of [0, 1]) this.#addQueue('slow', number, 10);
    this.#addQueue('dead-letters', undefined, 10);
    this.#addQueue('sweep', undefined, 1);
  }

  get #storesPerShard(): number {
    return Math.round(this.#plan.stores / this.#plan.shards);
  }

  /** The store of a number, which is its id, is in this shard. */
  #shardOf = (store: number) => this.#shards[Math.floor((store - 1) / this.#storesPerShard)] ?? 0;

  get #simulatedStores(): number {
    return this.#storesPerShard * this.#shards.length;
  }

  #sinceStart = () => this.#time.exact - startOfDay;

  #addQueue(kind: string, number: number | undefined, batchSize: number): void {
    const name = `${kind === 'sweep' ? kind : `webhook-${kind}`}${number === undefined ? '' : `-${number}`}`;
    const queue = new SimulatedQueue(this.#time, {
      name,
      batchSize,
      maxRetries: kind === 'sweep' ? 0 : 5,
      consume: (batch) => this.#consume(kind, batch),
      onDead: () => (this.#deadLetters += kind === 'sweep' ? 0 : 1),
    });
    this.#queues.set(name, queue);
  }

  async #consume(kind: string, batch: MessageBatch): Promise<void> {
    const env = this.#env;
    const { now } = this.#time;
    const context = { waitUntil: () => undefined };
    if (kind === 'sweep') return this.#sweep(batch, env);
    this.#invocations += 1;
    if (kind === 'dead-letters') {
      this.#deadLetters += batch.messages.length;
      return handleDeadLetters(batch, env);
    }
    const ports = { now, random: this.#random, fetch: this.#receive };
    return handleWakeups(batch, env, ports, context);
  }

  /** A shard beyond the sample keeps the consumer as long as the others do on average. */
  async #sweep(batch: MessageBatch, env: Env): Promise<void> {
    const [message] = batch.messages as readonly Message<{ shard: number }>[];
    if (message === undefined || !this.#databases.has(message.body.shard)) {
      return this.#time.pause(this.#sweeps === 0 ? 200 : this.#sweepMs.sum / this.#sweeps);
    }
    const startedAt = this.#time.exact;
    this.#invocations += 1;
    await handleSweeps(batch, env, { now: this.#time.now });
    const ms = this.#time.exact - startedAt;
    this.#sweeps += 1;
    // Of a database that answers; of another, a sweep waits for each call until it fails.
    this.#sweepMs.sum += Math.min(ms, usualSweepMs);
    this.#sweepMs.longest = Math.max(this.#sweepMs.longest, ms);
  }

  /** Inserts the stores with a webhook each, which a receiver has accepted before. */
  async prepare(): Promise<void> {
    const keys = { current: wranglerVars.SEALING_KEY, previous: undefined };
    const at = this.#time.now();
    const insertEndpoint = async (id: number) => {
      const sealed = await seal(keys, secret, `webhook-secret:${id}`);
      return `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, secret_current, ordered, concurrency, proven_at, created_at, updated_at)
        values (${id}, 'https://receiver.example/${id}', 'x', 'n', 'n', '${sealed}', 0, 2, ${at}, ${at}, ${at})`;
    };
    await this.#directory.execute([
      `insert into users (id, email, name, created_at, updated_at) values (1, 'o@x.test', 'o', 0, 0)`,
      `insert into shards (number) values ${Array.from({ length: this.#plan.shards }, (_, shard) => `(${shard})`).join()}`,
    ]);
    for (const [shard, database] of this.#databases) {
      const stores = Array.from({ length: this.#simulatedStores }, (_, index) => index + 1).filter(
        (store) => this.#shardOf(store) === shard,
      );
      await this.#directory.execute([
        `insert into stores (id, alias, name, owner_id, shard, base_url, created_at, updated_at)
         values ${stores.map((id) => `(${id}, 's${id}', 's', 1, ${shard}, 'https://s.test', 0, 0)`).join()}`,
      ]);
      await database.execute([
        `insert into placements (store_id, works) values ${stores.map((id) => `(${id}, 1)`).join()}`,
        ...(await Promise.all(stores.map(insertEndpoint))),
        ...kinds.map(
          (kind) => `insert into webhook_subscriptions (store_id, event, endpoint_id)
            select store_id, '${kind}', id from webhook_endpoints`,
        ),
      ]);
    }
    // The stores are in their shards, so the sweep has nothing to copy.
    await this.#directory.execute(['delete from store_changes']);
    this.#renewEnv();
  }

  #renewEnv(): void {
    const isolate: Isolate = { isAlive: true };
    this.#isolate = isolate;
    const rest = Object.fromEntries(
      Array.from({ length: this.#plan.shards }, (_, shard) => [
        `STORE_${shard}`,
        this.#databases.get(shard)?.bindingOf(isolate) ?? {},
      ]),
    );
    const queueOf = (name: string) => this.#queues.get(name)?.bindingOf(isolate);
    for (const queue of this.#queues.values()) queue.isolate = isolate;
    const wakeups = [...this.#queues.keys()].flatMap((name) => {
      const [, kind, number] = /^webhook-(fast|slow)-(\d+)$/.exec(name) ?? [];
      return kind ? [[`WAKEUP_${kind.toUpperCase()}_${number}`, queueOf(name)]] : [];
    });
    this.#env = {
      ...wranglerVars,
      ...rest,
      ...Object.fromEntries(wakeups),
      WAKEUP_DLQ: queueOf('webhook-dead-letters'),
      SWEEP: queueOf('sweep'),
      // Mails and imports are not simulated.
      MAIL: unread,
      TRANSFERS: unread,
      ARCHIVE: memoryArchive(new Map(), async (work) => work()),
      DIRECTORY: this.#directory.bindingOf(isolate),
    };
  }

  /** Begins cron, the orders and the faults. */
  start(): void {
    const { stall, outage, releaseAt, simulated } = this.#plan;
    const minutes = (simulated.until - simulated.from + afterMs) / minuteMs;
    for (let minute = 0; minute < minutes && this.#plan.isSwept !== false; minute += 1) {
      this.#time.after(minute * minuteMs, () => void requestSweeps(this.#env));
    }
    for (let minute = simulated.from; minute < simulated.until; minute += minuteMs) {
      this.#time.after(minute - simulated.from, () => this.#placeOrders());
    }
    const at = (moment: number, run: () => void) => {
      if (moment >= simulated.from) this.#time.after(moment - this.#sinceStart(), run);
    };
    const [first = 0] = this.#shards;
    if (stall) at(stall.from, () => this.#databases.get(first)?.stall(stall.until - stall.from));
    if (outage) {
      const set = (isDown: boolean) => {
        for (const [shard, database] of this.#databases) {
          if (isFar(shard, this.#plan)) database.isUnreachable = isDown;
        }
      };
      at(outage.from, () => set(true));
      at(outage.until, () => set(false));
    }
    if (releaseAt !== undefined) at(releaseAt, () => this.#release());
  }

  #release(): void {
    this.#isolate.isAlive = false;
    this.#renewEnv();
    for (const queue of this.#queues.values()) queue.release();
    for (const database of this.#databases.values()) database.occupy(platform.migrationMs);
  }

  /**
   * Spreads the orders of a minute over its stores. A tenth of the stores has half of all orders.
   */
  #placeOrders(): void {
    const { hours, ordersPerStore } = this.#plan;
    const share = hours[Math.floor(this.#sinceStart() / hourMs) % 24] ?? 0;
    const expected = (this.#simulatedStores * ordersPerStore * share) / 60;
    const count = Math.floor(expected + this.#random());
    const busy = Math.max(1, Math.floor(this.#simulatedStores / 10));
    for (let order = 0; order < count; order += 1) {
      const isBusy = this.#random() < 0.5;
      const index = Math.floor(this.#random() * (isBusy ? busy : this.#simulatedStores));
      // Busy stores are in every shard.
      const store = 1 + ((isBusy ? index * 10 + 3 : index) % this.#simulatedStores);
      this.#time.after(this.#random() * minuteMs, () => this.#placeOrder(store));
    }
  }

  /**
   * The events of an order come with seconds between them; the thread also runs its other
   * statements and reads of the shop.
   */
  #placeOrder(store: number): void {
    const { batchMs, statementMs, rowMs } = platform.service;
    const { batches, statements, rows } = orderWork;
    const ms =
      batches * batchMs +
      statements * statementMs +
      rows * rowMs +
      readsPerOrder * (batchMs + 2 * statementMs);
    // In parts, as the requests come.
    for (let part = 0; part < 5; part += 1) {
      this.#time.after(this.#random() * minuteMs, () =>
        this.#databases.get(this.#shardOf(store))?.occupy(ms / 5),
      );
    }
    for (const [index, kind] of kinds.entries()) {
      this.#time.after(index * 5_000, () => void this.#publish(store, kind));
    }
  }

  async #publish(store: number, name: EventName): Promise<void> {
    const shard = this.#shardOf(store);
    const number = this.#events.length + 1;
    const event: SimulatedEvent = {
      number,
      store,
      shard,
      receiver: receiverOf(store),
      at: this.#sinceStart(),
      attempts: 0,
      isCommitted: false,
    };
    this.#events.push(event);
    const env = this.#env;
    const facts = {
      id: store,
      alias: `s${store}`,
      shard,
      zone: defaultZone,
      base_url: '',
      active: true,
      test: false,
    };
    const binding = (env as unknown as Record<string, D1Database>)[`STORE_${shard}`];
    if (!binding) throw new Error(`no shard ${shard}`);
    const db = new StoreDb(facts, openDatabase(binding), {
      now: this.#time.now(),
      wakeEndpoints: (endpoints, isSlow) => void wakeEndpoints(env, shard, endpoints, isSlow),
    });
    const change = rawStatement(db, sql`insert into simulated_changes (number) values (${number})`);
    try {
      await publish(db, [change], [{ name, resource: { number } }]);
      event.answeredAfter = this.#sinceStart() - event.at;
    } catch {
      // The caller gets a 503; whether the change was made shows at the end of the day.
    }
  }

  /** Records a request and answers as its receiver does. */
  readonly #receive = (_url: string, init: RequestInit): Promise<Response> => {
    const isolate = this.#isolate;
    const body = new TextDecoder().decode(init.body as Uint8Array);
    const number = Number(/"number":(\d+)/.exec(body)?.[1]);
    const event = this.#events[number - 1];
    if (!event) throw new Error(`an event that nobody made: ${body.slice(0, 200)}`);
    const travelMs = 30 + 90 * this.#random();
    event.attempts += 1;
    event.attemptedAt ??= this.#sinceStart();
    const { receiver } = event;
    return new Promise((resolve) => {
      if (receiver === 'hanging') return;
      const ms = travelMs + (receiver === 'slow' ? 3_000 : 0);
      const status = receiver === 'failing' ? 500 : 200;
      this.#time.after(ms, () => {
        if (status === 200) event.acceptedAt ??= this.#sinceStart();
        if (!isolate.isAlive) return;
        resolve(new Response(null, { status, headers: { 'content-length': '0' } }));
      });
    });
  };

  async report(): Promise<Omit<DayReport, 'logged'>> {
    let unfinished = 0;
    for (const database of this.#databases.values()) {
      const made = await database.rows<{ number: number }>('select number from simulated_changes');
      for (const { number } of made) {
        const event = this.#events[number - 1];
        if (event) event.isCommitted = true;
      }
      const [row] = await database.rows<{ n: number }>(
        `select count(*) as n from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
         where d.state = 0 and e.store_id % 100 not in (7, 29)`,
      );
      unfinished += row?.n ?? 0;
    }
    const named = [...this.#databases].map(([shard, database]) => ({
      name: `shard ${shard}`,
      database,
    }));
    return {
      plan: this.#plan,
      shards: [...this.#shards],
      simulatedStores: this.#simulatedStores,
      events: this.#events,
      queues: [...this.#queues].map(([name, { operations, longestBacklog, mostConsumers }]) => ({
        name,
        operations,
        longestBacklog,
        mostConsumers,
      })),
      databases: [...named, { name: 'directory', database: this.#directory }].map(
        ({ name, database: { calls, busyMs, longestWaitMs } }) => ({
          name,
          calls,
          busyMs,
          longestWaitMs,
        }),
      ),
      invocations: this.#invocations,
      sweeps: this.#sweeps,
      sweepMs: { mean: this.#sweepMs.sum / this.#sweeps, longest: this.#sweepMs.longest },
      unfinished,
      deadLetters: this.#deadLetters,
    };
  }
}
