import { shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';
import { settingsOf, type Settings } from '../settings.ts';
import { realPorts, type Ports } from './clock.ts';
import { judgeAtSend } from './destination-at-send.ts';
import { drain, type Drained, type DrainOptions, type Errand } from './deliver.ts';
import { Hint, sendWakes } from './hints.ts';
import { retryHints } from './hints-retry.ts';
import { Stall } from './stall.ts';

/** After this no send starts: with the longest timeout a run ends within the 30 s of a runtime update. */
const budgetMs = 20_000;

/** A run in which no send has begun or ended for so long is waiting for receivers alone. */
const stallMs = 150;

/** A run that took no longer has time to spare for others. */
const spareMs = 5_000;

/**
 * Queue handler for hints: drains the lanes that the batch names, and with time to spare some that nobody came for,
 * then acknowledges the batch, and hints again what is due within a minute. A hint that names nothing is logged and
 * acknowledged. Only when a database does not answer is the batch retried, by when the leases have run out. A run that
 * waits for receivers alone is left to `context`, so that one that hangs holds up no other lane of the queue: should
 * the run die there, its leases run out and the sweep calls again.
 */
export async function consumeHints(
  batch: MessageBatch,
  env: Env,
  ports: Partial<Ports> = {},
  context?: Pick<ExecutionContext, 'waitUntil'>,
): Promise<void> {
  const settings = settingsOf(env);
  const plain = { ...realPorts, ...ports };
  const outside = { judge: judgeAtSend(env, settings, plain), ...plain };
  const errands = errandsOf(batch, env);
  const isSlow = batch.queue.includes('slow');
  const stall = new Stall(stallMs);
  const work = run(errands, env, settings, outside, { isSlow, stall });
  const isStalled = Promise.race([work.then(() => false), stall.stalled.then(() => true)]);
  if (context && (await isStalled)) {
    batch.ackAll();
    context.waitUntil(work.then(tellFailure));
    return;
  }
  const failure = await work;
  if (failure === undefined) batch.ackAll();
  else await retryHints(batch, env, settings.leaseMs, failure);
}

/** Of a run whose batch is acknowledged; the sweep makes good what it leaves. */
function tellFailure(failure: unknown): void {
  if (failure === undefined) return;
  log('error', 'webhook_run_failed', { message: String(failure).slice(0, 300) });
}

/** The lanes of a batch by shard. */
function errandsOf(batch: MessageBatch, env: Env): Errand[] {
  const bindings = shardBindings(env);
  const hints = batch.messages.flatMap(({ body }) => Hint.safeParse(body).data ?? []);
  const known = hints.filter(({ shard }) => bindings.has(shard));
  const strange = batch.messages.length - known.length;
  if (strange > 0) log('error', 'webhook_hints_malformed', { alert: true, count: strange });
  return [...Map.groupBy(known, ({ shard }) => shard)].flatMap(([shard, of]) => {
    const db = bindings.get(shard);
    return db ? [{ shard, db, endpoints: of.map(({ endpoint }) => endpoint) }] : [];
  });
}

/** Answers with the first failure of a database. */
async function run(
  errands: Errand[],
  env: Env,
  settings: Settings,
  ports: Ports,
  options: Omit<DrainOptions, 'budgetMs'>,
): Promise<unknown> {
  const startedAt = ports.now();
  const drained = await drain(errands, settings, ports, { ...options, budgetMs });
  await hintAgain(env, drained, ports.now());
  const spent = ports.now() - startedAt;
  if (drained.failure !== undefined || drained.overdue.length === 0 || spent > spareMs) {
    return drained.failure;
  }
  log('error', 'webhook_lanes_overdue', {
    alert: true,
    endpoints: drained.overdue.map(({ shard, endpoints }) => ({ shard, endpoints })),
  });
  // Their own hints may still come, so a failure here is no reason to repeat the batch.
  const rest = { ...options, budgetMs: budgetMs - spent };
  await hintAgain(env, await drain(drained.overdue, settings, ports, rest), ports.now());
}

/** A hint that is not sent costs a minute: then the sweep finds the lane. */
async function hintAgain(env: Env, { wakes }: Drained, now: number): Promise<void> {
  for (const one of wakes) {
    try {
      await sendWakes(env, one.shard, one.wakes, now);
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      log('warn', 'webhook_hints_not_sent', { shard: one.shard, count: one.wakes.length, message });
    }
  }
}
