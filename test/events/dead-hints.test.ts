import { createMessageBatch, createExecutionContext, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { consumeDeadHints } from '../../src/events/dead-hints.ts';
import { consumeHints } from '../../src/events/hints-consumer.ts';
import { db, lane, start } from '../support/lanes.ts';

const broken = {
  prepare: (sql: string) => db.prepare(sql),
  batch: () => Promise.reject(new Error('D1 DB is overloaded.')),
};

const message = (
  endpoint: number,
  attempts: number,
  body: unknown = { v: 1, shard: 0, endpoint },
) => ({
  id: `${endpoint}-${attempts}`,
  timestamp: new Date(start),
  attempts,
  body,
});

/** What a consumer whose database does not answer makes of these. */
async function fail(messages: ReturnType<typeof message>[], send: (bodies: unknown[]) => void) {
  const DEAD_HINTS = {
    sendBatch: async (all: MessageSendRequest[]) => send(all.map(({ body }) => body)),
  };
  const batch = createMessageBatch('webhook-fast-0', messages);
  const context = createExecutionContext();
  const ports = { now: () => start };
  await consumeHints(batch, { ...env, STORE_0: broken, DEAD_HINTS } as unknown as Env, ports);
  return getQueueResult(batch, context);
}

const rowsOf = async (endpoint: number) =>
  (
    await db
      .prepare('select endpoint_id, at, error from webhook_dead_hints where endpoint_id = ?')
      .bind(endpoint)
      .all()
  ).results;

describe('fault 19: a database that does not answer for long', () => {
  it('sends a hint that came for the last time to the dead ones, with the reason, and retries the rest', async () => {
    const [one, other] = [await lane(), await lane()];
    const dead: unknown[] = [];
    const result = await fail([message(one.id, 5), message(other.id, 6)], (all) =>
      dead.push(...all),
    );
    expect(result).toMatchObject({
      ackAll: false,
      explicitAcks: [`${other.id}-6`],
      retryBatch: { retry: true },
    });
    expect(dead).toEqual([{ v: 1, shard: 0, endpoint: other.id, error: 'D1 DB is overloaded.' }]);
  });

  it('leaves it to the queue when the dead ones do not take it', async () => {
    const to = await lane();
    const result = await fail([message(to.id, 6)], () => {
      throw new Error('Too Many Requests');
    });
    expect(result).toMatchObject({ explicitAcks: [], retryBatch: { retry: true } });
  });

  it('writes a row with lane, time and reason, and acknowledges', async () => {
    const to = await lane();
    const hint = { v: 1, shard: 0, endpoint: to.id };
    const batch = createMessageBatch('webhook-dead-hints', [
      message(to.id, 1, { ...hint, error: 'D1 DB is overloaded.' }),
      message(to.id, 2),
      message(to.id, 3, 'nonsense'),
    ]);
    const context = createExecutionContext();
    await consumeDeadHints(batch, env, () => start);
    expect(await getQueueResult(batch, context)).toMatchObject({ ackAll: true });
    expect(await rowsOf(to.id)).toEqual([
      { endpoint_id: to.id, at: start, error: 'D1 DB is overloaded.' },
      { endpoint_id: to.id, at: start, error: 'unknown' },
    ]);
    // The lane itself never forgot.
    expect(await to.endpoint()).toMatchObject({ wake_at: start });
  });

  it('keeps the dead ones while the database does not answer', async () => {
    const to = await lane();
    const batch = createMessageBatch('webhook-dead-hints', [message(to.id, 1)]);
    const context = createExecutionContext();
    const prepare = () => {
      throw new Error('D1 DB is overloaded.');
    };
    await consumeDeadHints(batch, { ...env, STORE_0: { prepare } } as unknown as Env);
    expect(await getQueueResult(batch, context)).toMatchObject({
      ackAll: false,
      retryBatch: { retry: true },
    });
    expect(await rowsOf(to.id)).toEqual([]);
  });
});
