import { shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';
import { realPorts, type Ports } from './clock.ts';
import { judgeAtSend } from './destination-at-send.ts';
import { drain, type Drained } from './deliver.ts';
import { parseHint, sendWakes } from './hints.ts';

/** Bounds of the pause after a database did not answer, in seconds. */
const shortestPause = 10;
const longestPause = 60;

/**
 * Queue handler for hints: drains the lanes that the batch names, then acknowledges it, and hints again what
 * is due within a minute. A hint that names nothing is logged and acknowledged. Only when a database does
 * not answer is the batch retried, by when the leases have run out.
 */
export async function consumeHints(
  batch: MessageBatch,
  env: Env,
  ports: Partial<Ports> = {},
): Promise<void> {
  const settings = settingsOf(env);
  const plain = { ...realPorts, ...ports };
  const outside = { judge: judgeAtSend(env, settings, plain), ...plain };
  const { byShard, malformed } = sorted(batch);
  const bindings = shardBindings(env);
  const errands = [...byShard].flatMap(([shard, endpoints]) => {
    const db = bindings.get(shard);
    return db ? [{ shard, db, endpoints: [...endpoints] }] : [];
  });
  const strange = malformed + byShard.size - errands.length;
  if (strange > 0) log('error', 'webhook_hints_malformed', { alert: true, count: strange });
  const drained = await drain(errands, settings, outside);
  await hintAgain(env, drained, outside.now());
  if (drained.failure === undefined) {
    batch.ackAll();
    return;
  }
  const delaySeconds = Math.min(
    Math.max(Math.ceil(settings.leaseMs / 1000), shortestPause),
    longestPause,
  );
  const message = drained.failure instanceof Error ? drained.failure.message : '';
  log('error', 'webhook_hints_retried', { shards: [...byShard.keys()], delaySeconds, message });
  batch.retryAll({ delaySeconds });
}

/**
 * Queue handler for hints that failed five times for reasons of our own. Nothing is lost with them, since every
 * lane still says when it wants to be woken, but somebody should look.
 */
export function consumeDeadHints(batch: MessageBatch): void {
  const { byShard, malformed } = sorted(batch);
  const endpoints = Object.fromEntries([...byShard].map(([shard, ids]) => [shard, [...ids]]));
  log('error', 'webhook_hints_dead', { alert: true, endpoints, malformed });
  batch.ackAll();
}

function sorted(batch: MessageBatch): { byShard: Map<number, Set<number>>; malformed: number } {
  const byShard = new Map<number, Set<number>>();
  let malformed = 0;
  for (const { body } of batch.messages) {
    const hint = parseHint(body);
    if (!hint) malformed += 1;
    else byShard.set(hint.shard, (byShard.get(hint.shard) ?? new Set()).add(hint.endpoint));
  }
  return { byShard, malformed };
}

/** A hint that is not sent costs a minute: then the sweep finds the lane. */
async function hintAgain(env: Env, { wakes }: Drained, now: number): Promise<void> {
  for (const one of wakes) {
    try {
      await sendWakes(env.HINTS, one.shard, one.wakes, now);
    } catch (error) {
      const message = error instanceof Error ? error.message : '';
      log('warn', 'webhook_hints_not_sent', { shard: one.shard, count: one.wakes.length, message });
    }
  }
}
