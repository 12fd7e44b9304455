import { restoring, shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';
import { settingsOf, type Settings } from '../settings.ts';
import { realPorts, type Ports } from './clock.ts';
import { judgeAtSend } from './destination-at-send.ts';
import { drain, type DrainOptions } from './deliver.ts';
import { callHelpers, Hint, sendWakes } from './hints.ts';
import { retryHints } from './hints-retry.ts';
import type { Errand } from './lane-take.ts';
import { Standstill } from './standstill.ts';

/** After this no send starts: with the longest timeout a run ends within the 30 s of a runtime update. */
const budgetMs = 20_000;

/** A run in which no send has begun or ended for so long is waiting for receivers alone. */
const stallMs = 150;

/** A run that took no longer has time to spare for others. */
const spareMs = 5_000;

/** What the runs of an isolate that are left to their contexts may have in memory, in bytes, each counted with its least. */
const mostLeft = 32_000_000;
const leastOfRun = 64_000;
let left = 0;

/**
 * Queue handler for hints: drains the lanes that the batch names, and with time to spare some that nobody came for,
 * then acknowledges the batch, and hints again what is due within a minute. A hint that names nothing is logged and
 * acknowledged. Only when a database does not answer is the batch retried, by when the leases have run out. A run that
 * waits for receivers alone is left to `context`, so that its queue goes on: should it die
 * there, its leases run out and the sweep calls again.
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
  const standstill = new Standstill(stallMs);
  const work = run(errands, env, settings, outside, { isSlow, standstill });
  const isStanding = await Promise.race([
    work.then(() => false),
    standstill.reached.then(() => true),
  ]);
  const weight = leastOfRun + standstill.bytes;
  if (context && isStanding && left + weight < mostLeft) {
    left += weight;
    standstill.isLeft = true;
    batch.ackAll();
    const ended = work.then(tellFailure).finally(() => (left -= weight));
    context.waitUntil(ended);
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
  // A lane of a shard that is being restored is found by the sweep afterwards.
  const away = restoring(env);
  const isKnown = ({ shard }: Hint) => bindings.has(shard) || away.has(shard);
  const strange = batch.messages.length - hints.filter(isKnown).length;
  if (strange > 0) log('error', 'webhook_hints_malformed', { alert: true, count: strange });
  return [...Map.groupBy(hints, ({ shard }) => shard)].flatMap(([shard, of]) => {
    const db = bindings.get(shard);
    if (!db) return [];
    const calls = of.flatMap(({ endpoint, help }) => (help ? [{ endpoint, ...help }] : []));
    const endpoints = of.filter(({ help }) => !help).map(({ endpoint }) => endpoint);
    return [{ shard, db, endpoints, calls }];
  });
}

/** Answers with the first failure of a database. */
async function run(
  errands: Errand[],
  env: Env,
  settings: Settings,
  ports: Ports,
  own: Pick<DrainOptions, 'isSlow' | 'standstill'>,
): Promise<unknown> {
  const startedAt = ports.now();
  // A hint that is not sent costs a minute: then the sweep finds the lane.
  const options: Omit<DrainOptions, 'budgetMs'> = {
    ...own,
    wake: (shard, wakes) => unlessRefused(wakes.length, sendWakes(env, shard, wakes, ports.now())),
    callHelpers: ({ shard, id, generation }, count) =>
      unlessRefused(count, callHelpers(env, shard, id, generation, count)),
  };
  const drained = await drain(errands, settings, ports, { ...options, budgetMs });
  const spent = ports.now() - startedAt;
  if (drained.failure !== undefined || drained.overdue.length === 0 || spent > spareMs) {
    return drained.failure;
  }
  log('error', 'webhook_lanes_overdue', {
    alert: true,
    endpoints: drained.overdue.map(({ shard, endpoints }) => ({ shard, endpoints })),
  });
  // Their own hints may still come, so a failure here is no reason to repeat the batch.
  await drain(drained.overdue, settings, ports, { ...options, budgetMs: budgetMs - spent });
  return undefined;
}

async function unlessRefused(count: number, sending: Promise<void>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('warn', 'webhook_hints_not_sent', { count, message });
  }
}
