import { sql, type SQL } from 'drizzle-orm';
import * as z from 'zod';
import { log } from '../base/log.ts';
import { restoringShards, shardBindings } from './core/open-database.ts';

/** Workers that may join the one that holds a lease. */
export const maxJoiningWorkers = 7;

/** Further rounds of a shard in a minute. Each has the calls of an invocation of its own. */
export const maxRounds = 8;

const v = z.literal(1);
const shard = z.int().min(0);

/**
 * Wakes an endpoint of a shard that may have something due. With `join`, it invites a worker to
 * join a shared lease.
 */
const Wakeup = z.strictObject({
  v,
  shard,
  endpoint: z.int().min(1),
  join: z
    .strictObject({ generation: z.int().min(1), worker: z.int().min(1).max(maxJoiningWorkers) })
    .optional(),
});

/**
 * The messages of each queue, by its name in wrangler.toml without a number. A message carries no
 * data, so a lost, late or repeated one loses and repeats nothing. A deployment reads the messages
 * of the one before.
 */
export const messageSchemas = {
  'webhook-fast': Wakeup,
  'webhook-slow': Wakeup,
  /** A wake-up that was given up. Without an error, the queue moved it here itself. */
  'webhook-dead-letters': Wakeup.extend({ error: z.string().default('unknown') }),
  /** Sweep this shard. */
  sweep: z.strictObject({ v, shard, round: z.int().min(0).max(maxRounds) }),
  /** Look at the transfers of this shard. */
  transfers: z.strictObject({ v, shard }),
  /** Look at the outbox of the directory; of a shard, first at its notices. */
  mail: z.strictObject({ v, shard: shard.optional() }),
};

export type QueueName = keyof typeof messageSchemas;

/** A message of a queue. */
export type QueueMessage<Name extends QueueName> = z.output<(typeof messageSchemas)[Name]>;

/** A message and its delay. */
interface Sending<Name extends QueueName> {
  body: QueueMessage<Name>;
  delaySeconds?: number;
}

/** Messages that `Queue.sendBatch` accepts at once. */
const chunkSize = 100;

/**
 * Sends messages to a queue, 100 in a call. Rejects when the queue rejects some of them. See
 * {@link wake} for one whose loss costs a minute only.
 */
export async function send<Name extends QueueName>(
  env: Env,
  name: Name,
  messages: readonly Sending<Name>[],
): Promise<void> {
  if (messages.length === 0) return;
  const queueFor = queues[name](env);
  const calls: Promise<unknown>[] = [];
  for (const [queue, group] of Map.groupBy(messages, ({ body }) => queueFor(body))) {
    for (let start = 0; start < group.length; start += chunkSize) {
      calls.push(queue.sendBatch(group.slice(start, start + chunkSize)));
    }
  }
  await Promise.all(calls);
}

/**
 * Sends a message after the commit of the change that it is about. Never rejects: without the
 * message, the sweep finds the work within a minute.
 */
export async function wake<Name extends QueueName>(
  env: Env,
  name: Name,
  body: QueueMessage<Name>,
  delaySeconds = 0,
): Promise<void> {
  await sendOrLog(name, 1, send(env, name, [{ body, delaySeconds }]));
}

/** Logs a failure of `sending`, which sends `count` messages. */
export async function sendOrLog(
  queue: QueueName,
  count: number,
  sending: Promise<void>,
): Promise<void> {
  try {
    await sending;
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('warn', 'wakeup_not_sent', { queue, count, message });
  }
}

/** By the name of a queue, which binding takes a message. */
const queues: {
  readonly [Name in QueueName]: (env: Env) => (message: QueueMessage<Name>) => Queue;
} = {
  'webhook-fast': (env) => spread(env, 'WAKEUP_FAST_'),
  'webhook-slow': (env) => spread(env, 'WAKEUP_SLOW_'),
  'webhook-dead-letters': (env) => () => env.WAKEUP_DLQ,
  sweep: (env) => () => env.SWEEP,
  transfers: (env) => () => env.TRANSFERS,
  mail: (env) => () => env.MAIL,
};

/**
 * Chooses among the queues whose bindings have a prefix and a number: `WAKEUP_FAST_0`, ..., as many
 * as wrangler.toml has. A shard has a queue to itself as long as there are as many queues as
 * shards. Then a batch leases and writes once for all its endpoints. Spare queues are divided among
 * the endpoints of each shard, so that one that hangs delays fewer others.
 */
function spread(env: Env, prefix: string) {
  const bindings = env as unknown as Record<string, Queue | undefined>;
  const all: Queue[] = [];
  for (let queue; (queue = bindings[`${prefix}${all.length}`]);) all.push(queue);
  const perShard = Math.max(1, Math.floor(all.length / Math.max(1, shardBindings(env).size)));
  return ({ shard, endpoint, join }: QueueMessage<'webhook-fast'>): Queue => {
    const queue =
      all[(shard * perShard + (endpoint % perShard) + (join?.worker ?? 0)) % all.length];
    if (!queue) throw new Error(`no binding ${prefix}0`);
    return queue;
  };
}

/** A batch in work. */
export interface QueueRun<Ports> {
  env: Env;
  batch: MessageBatch;
  /** The outside world, as far as a test replaces it. */
  ports: Partial<Ports>;
  /** Keeps the Worker alive for work that continues after the batch is acknowledged. */
  context: Pick<ExecutionContext, 'waitUntil'> | undefined;
}

interface Consumption<Message, Ports> {
  name: QueueName;
  schema: z.ZodType<Message>;
  /**
   * Every message names a shard. One of a shard that is being restored is skipped: the sweep looks
   * afterwards.
   */
  isPerShard?: true;
  /** Works on the valid messages of a batch, of which there may be none. */
  consume: (messages: readonly Message[], run: QueueRun<Ports>) => Promise<void> | void;
  /**
   * How a batch that failed is repeated. Without it, it is acknowledged with an alert: the sweep
   * looks again.
   */
  onFailure?: Repetition;
}

/** The messages are sent again some seconds later, or their queue retries the batch. */
type Repetition = { sendAgainSeconds: number } | QueueRetry;

interface QueueRetry {
  retrySeconds: (env: Env) => number;
  /** `max_retries` of the queue (wrangler.toml) and the first delivery. */
  lastAttempt: number;
  /**
   * Gets messages on their last attempt, with the reason. If it cannot, the platform moves them
   * without one.
   */
  deadLetters: 'webhook-dead-letters';
}

/** A consumer, as the Worker calls it. */
export type Consumer = (
  batch: MessageBatch,
  env: Env,
  ports?: undefined,
  context?: QueueRun<never>['context'],
) => Promise<void>;

/** The outside world of most consumers. */
interface Clock {
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Creates the consumer of a queue: it parses the messages of a batch, works on them and
 * acknowledges the batch. Malformed messages are logged with an alert and acknowledged. The
 * consumer never rejects.
 */
export const consumerOf =
  <Message, Ports = Clock>({
    name,
    schema,
    isPerShard,
    consume,
    onFailure,
  }: Consumption<Message, Ports>) =>
  async (
    batch: MessageBatch,
    env: Env,
    ports: Partial<Ports> = {},
    context?: QueueRun<Ports>['context'],
  ): Promise<void> => {
    const messages = parse(batch, env, { name, schema, isPerShard: isPerShard ?? false });
    const run = { env, batch, ports, context };
    try {
      await consume(messages, run);
    } catch (failure) {
      const message = failure instanceof Error ? failure.message.slice(0, 300) : '';
      if (onFailure && 'retrySeconds' in onFailure) {
        return retry(batch, env, { name, message, ...onFailure });
      }
      if (onFailure) {
        const delaySeconds = onFailure.sendAgainSeconds;
        log('error', 'queue_run_repeated', { queue: name, delaySeconds, message });
        const again = messages.map((body) => ({
          body: body as QueueMessage<QueueName>,
          delaySeconds,
        }));
        await sendOrLog(name, again.length, send(env, name, again));
      } else {
        log('error', 'queue_run_failed', { alert: true, queue: name, message });
      }
    }
    batch.ackAll();
  };

/** Lets a queue retry a batch, except for messages that can be sent to the dead letters now. */
async function retry(
  batch: MessageBatch,
  env: Env,
  {
    name,
    message: error,
    retrySeconds,
    lastAttempt,
    deadLetters,
  }: QueueRetry & { name: QueueName; message: string },
): Promise<void> {
  const delaySeconds = retrySeconds(env);
  const spent = batch.messages.filter(({ attempts }) => attempts >= lastAttempt);
  const count = batch.messages.length;
  log('error', 'queue_run_retried', {
    queue: name,
    count,
    spent: spent.length,
    delaySeconds,
    message: error,
  });
  const dead = spent.flatMap((message) => {
    const { data } = messageSchemas[deadLetters].safeParse({ ...(message.body as object), error });
    return data ? [{ message, body: data }] : [];
  });
  try {
    await send(
      env,
      deadLetters,
      dead.map(({ body }) => ({ body })),
    );
    for (const { message } of dead) message.ack();
  } catch (reason) {
    log('warn', 'dead_letters_not_sent', { queue: name, message: String(reason).slice(0, 300) });
  }
  batch.retryAll({ delaySeconds });
}

function parse<Message>(
  { messages }: MessageBatch,
  env: Env,
  {
    name,
    schema,
    isPerShard,
  }: { name: QueueName; schema: z.ZodType<Message>; isPerShard: boolean },
): Message[] {
  const bindings = shardBindings(env);
  const restoring = restoringShards(env);
  let malformed = 0;
  const parsed = messages.flatMap(({ body }) => {
    const { success, data } = schema.safeParse(body);
    const { shard = -1 } = isPerShard && success ? (data as { shard?: number }) : {};
    if (success && (!isPerShard || bindings.has(shard))) return [data];
    if (!restoring.has(shard)) malformed += 1;
    return [];
  });
  if (malformed > 0) log('error', 'messages_malformed', { alert: true, queue: name, malformed });
  return parsed;
}

/**
 * A lease of the rows of a table: the exclusive right of one worker to work on a row until a time.
 * Only an endpoint may be shared by workers that join its lease (`webhooks/delivery/share.ts`). It
 * is never extended: a worker that needs longer releases it and leaves the rest. The lease of a
 * worker that died expires at that time, and another worker continues.
 */
interface Lease {
  table: string;
  key: string;
  /**
   * The column with the end of the lease in epoch milliseconds; 0, or a time that has passed, while
   * the row is free.
   */
  until: string;
  /** The column with the time from which a row is due; null while it is not. */
  due: string;
}

/**
 * All leases. The time at which a lease ends identifies it; endpoints also have a number that grows
 * with each lease.
 */
export const leases = {
  endpoints: {
    table: 'webhook_endpoints',
    key: 'id',
    until: 'lease_until',
    due: 'next_attempt_at',
  },
  appWebhooks: { table: 'app_webhooks', key: 'client_id', until: 'leased_until', due: 'next_at' },
  mails: { table: 'mails', key: 'id', until: 'leased_until', due: 'due_at' },
  jobs: { table: 'jobs', key: 'id', until: 'leased_until', due: 'due_at' },
  /** One row for a shard, which exists after the first lease. */
  transfers: { table: 'transfer_steps', key: 'id', until: 'until', due: '0' },
  /** One row of the directory: the run of `npm run deploy` that has the lock. */
  deployments: { table: 'deploy_locks', key: 'id', until: 'until', due: '0' },
} satisfies Record<string, Lease>;

/** A value, or SQL such as a numbered parameter. */
export type Value = number | string | SQL;

/** The condition that a row is free at `now`. */
const isFree = ({ until }: Lease, now: Value): SQL => sql`${sql.raw(until)} <= ${now}`;

/** The condition that a row is due, and free at `now`. */
export const isLeasable = (lease: Lease, now: Value): SQL =>
  sql`${isFree(lease, now)} and ${sql.raw(lease.due)} <= ${now}`;

/**
 * The condition that this is the row of a key, and that its lease is the one that ends at `end`.
 */
export const isLeased = ({ key, until }: Lease, id: Value, end: Value): SQL =>
  sql`${sql.raw(key)} = ${id} and ${sql.raw(until)} = ${end}`;

/** The assignment that releases a row. */
export const release = ({ until }: Lease): SQL => sql`${sql.raw(until)} = 0`;

/** The statement that releases the rows whose lease ends at `end`, and that fulfil a condition. */
export const releaseAll = (lease: Lease, end: Value, where: SQL): SQL =>
  sql`update ${sql.raw(lease.table)} set ${release(lease)}
    where ${where} and ${sql.raw(lease.until)} = ${end}`;

/** The assignments that begin a lease of an endpoint, with so many workers. */
export const beginSharable = (workers: 0 | 1): SQL =>
  sql.raw(`lease_generation = lease_generation + 1, lease_workers = ${workers},
      lease_claimed_seq = null, lease_backoff_until = 0`);

interface Acquisition {
  /** Epoch milliseconds. */
  now: Value;
  /** The end of the lease. */
  end: Value;
  /** Leases rows that are not due as well. */
  areAllDue?: true;
  /** A further condition. */
  where?: SQL;
  /**
   * At most so many rows, those that are due for longest. Without it, all that fulfil the
   * conditions.
   */
  limit?: Value;
  /** Further assignments. */
  set?: SQL;
  returning?: SQL;
}

/**
 * The statement that leases rows that are due and free. Of concurrent ones, each row goes to one.
 */
export function acquire(
  lease: Lease,
  { now, end, areAllDue, where, limit, set, returning }: Acquisition,
) {
  const [table, key, until, due] = [lease.table, lease.key, lease.until, lease.due].map((name) =>
    sql.raw(name),
  );
  const mayLease = areAllDue ? isFree(lease, now) : isLeasable(lease, now);
  const isWanted = sql`${mayLease}${where && sql` and ${where}`}`;
  const rows =
    limit === undefined
      ? isWanted
      : sql`${key} in (select ${key} from ${table} where ${isWanted} order by ${due} limit ${limit})`;
  return sql`update ${table} set ${until} = ${end}${set && sql`, ${set}`} where ${rows}${returning && sql` returning ${returning}`}`;
}
