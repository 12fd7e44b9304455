import * as z from 'zod';
import { shardBindings } from '../db/shards.ts';
import { log } from '../log.ts';
import { Hint } from './hints.ts';

/** A hint that was given up. Where the queue itself gave it up, nobody knows why. */
const DeadHint = Hint.extend({ error: z.string().default('unknown') });

/** What becomes of a hint: its message says for the last time why its lane could not be looked at. */
export type DeadHint = z.input<typeof DeadHint>;

/** Seconds until a row is tried again for which there was no database. */
const pauseSeconds = 600;

const insertSql = `
  insert into webhook_dead_hints (endpoint_id, at, error)
  select value ->> 'endpoint', ?2, value ->> 'error' from json_each(?1)`;

/**
 * Queue handler for hints that failed six times for reasons of our own: a row for each, and a line of the log that
 * calls the operator. Nothing is lost with them and nothing has to be sent again, since every lane still says when it
 * wants to be woken. While a database does not answer, the batch comes back.
 */
export async function consumeDeadHints(
  batch: MessageBatch,
  env: Env,
  now: () => number = Date.now,
): Promise<void> {
  const hints = batch.messages.flatMap(({ body }) => DeadHint.safeParse(body).data ?? []);
  const malformed = batch.messages.length - hints.length;
  log('error', 'webhook_hints_dead', { alert: true, hints, malformed });
  const bindings = shardBindings(env);
  try {
    for (const [shard, dead] of Map.groupBy(hints, (hint) => hint.shard)) {
      await bindings.get(shard)?.prepare(insertSql).bind(JSON.stringify(dead), now()).run();
    }
    batch.ackAll();
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    log('error', 'webhook_dead_hints_kept', { count: hints.length, message });
    batch.retryAll({ delaySeconds: pauseSeconds });
  }
}
