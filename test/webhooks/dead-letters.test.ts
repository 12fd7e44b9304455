import { createMessageBatch, createExecutionContext, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import service from '../../src/index.ts';
import { handleDeadLetters, handleWakeups } from '../../src/webhooks/wakeup-handler.ts';
import { db, insertEndpoint, startTime } from '../support/webhooks/consumer.ts';

const failingDatabase = {
  prepare: (sql: string) => db.prepare(sql),
  batch: () => Promise.reject(new Error('D1 DB is overloaded.')),
};

const message = (
  endpoint: number,
  attempts: number,
  body: unknown = { v: 1, shard: 0, endpoint },
) => ({
  id: `${endpoint}-${attempts}`,
  timestamp: new Date(startTime),
  attempts,
  body,
});

/** Handles messages while the database fails. */
async function handleWithoutDatabase(
  messages: ReturnType<typeof message>[],
  send: (bodies: unknown[]) => void,
) {
  const WAKEUP_DLQ = {
    sendBatch: async (all: MessageSendRequest[]) => send(all.map(({ body }) => body)),
  };
  const batch = createMessageBatch('webhook-fast-0', messages);
  const context = createExecutionContext();
  const deps = { now: () => startTime };
  await handleWakeups(
    batch,
    { ...env, STORE_0: failingDatabase, WAKEUP_DLQ } as unknown as Env,
    deps,
  );
  return getQueueResult(batch, context);
}

describe('fault 19: a database that fails for longer than the queue retries', () => {
  it('sends a message on its last attempt to the dead-letter queue with the reason, and retries the others', async () => {
    const [one, other] = [await insertEndpoint(), await insertEndpoint()];
    const dead: unknown[] = [];
    const result = await handleWithoutDatabase([message(one.id, 5), message(other.id, 6)], (all) =>
      dead.push(...all),
    );
    expect(result).toMatchObject({
      ackAll: false,
      explicitAcks: [`${other.id}-6`],
      retryBatch: { retry: true },
    });
    expect(dead).toEqual([{ v: 1, shard: 0, endpoint: other.id, error: 'D1 DB is overloaded.' }]);
  });

  it('retries the message when the dead-letter queue rejects it, so that the platform moves it', async () => {
    const target = await insertEndpoint();
    const result = await handleWithoutDatabase([message(target.id, 6)], () => {
      throw new Error('Too Many Requests');
    });
    expect(result).toMatchObject({ explicitAcks: [], retryBatch: { retry: true } });
  });

  it('logs the endpoint and the reason of each dead wake-up, and acknowledges the batch', async () => {
    const target = await insertEndpoint();
    const wakeup = { v: 1, shard: 0, endpoint: target.id };
    const batch = createMessageBatch('webhook-dead-letters', [
      message(target.id, 1, { ...wakeup, error: 'D1 DB is overloaded.' }),
      message(target.id, 2),
      message(target.id, 3, 'nonsense'),
    ]);
    const context = createExecutionContext();
    const logged = vi.spyOn(console, 'error').mockReturnValue();
    await handleDeadLetters(batch, env);
    const lines = logged.mock.calls.map(([line]) => JSON.parse(String(line)) as object);
    logged.mockRestore();
    expect(await getQueueResult(batch, context)).toMatchObject({ ackAll: true });
    expect(lines).toEqual([
      {
        level: 'error',
        event: 'webhook_wakeups_dead',
        alert: true,
        wakeups: [
          { ...wakeup, error: 'D1 DB is overloaded.' },
          { ...wakeup, error: 'unknown' },
        ],
        malformed: 1,
      },
    ]);
    // The endpoint itself is still due.
    expect(await target.endpoint()).toMatchObject({ next_attempt_at: startTime });
  });

  it('needs no database to acknowledge dead wake-ups', async () => {
    const target = await insertEndpoint();
    const batch = createMessageBatch('webhook-dead-letters', [message(target.id, 1)]);
    const context = createExecutionContext();
    await service.queue(batch, { ...env, STORE_0: undefined } as unknown as Env, context);
    expect(await getQueueResult(batch, context)).toMatchObject({ ackAll: true });
  });
});
