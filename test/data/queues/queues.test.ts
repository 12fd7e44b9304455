import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { consumerOf, messageSchemas, send, wake } from '../../../src/data/queues.ts';
import worker from '../../../src/index.ts';

function batchOf(queue: string, ...bodies: unknown[]) {
  const messages = bodies.map((body) => ({ body }));
  const batch = { queue, messages, ackAll: vi.fn(), retryAll: vi.fn() };
  return batch as unknown as MessageBatch & typeof batch;
}

const context = { waitUntil: () => undefined } as unknown as ExecutionContext;

describe('the consumer of a queue', () => {
  const [sweep, wakeup] = ['sweep', 'webhook-fast'] as const;

  it('gets the valid messages; the others are logged with an alert, and the batch is acknowledged', async () => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    const seen: unknown[] = [];
    const consume = consumerOf({
      name: 'mail',
      schema: messageSchemas.mail,
      consume: (messages) => void seen.push(...messages),
    });
    const batch = batchOf('mail', { v: 1 }, { v: 2 }, 'nonsense', undefined);
    await consume(batch, env);
    expect([seen, batch.ackAll.mock.calls.length]).toEqual([[{ v: 1 }], 1]);
    expect(logged.mock.calls.map(([line]) => JSON.parse(String(line)) as object)).toEqual([
      { level: 'error', event: 'messages_malformed', alert: true, queue: 'mail', malformed: 3 },
    ]);
  });

  it('that fails acknowledges the batch with an alert, since the sweep looks again', async () => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    const schema = z.object({});
    const consume = consumerOf({
      name: sweep,
      schema,
      consume: () => Promise.reject(new Error('lost')),
    });
    const batch = batchOf(sweep, {});
    await consume(batch, env);
    expect([batch.ackAll, batch.retryAll].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({
      event: 'queue_run_failed',
      alert: true,
      queue: sweep,
      message: 'lost',
    });
  });

  it('that fails sends its messages again some seconds later, where it says so', async () => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    const sent: unknown[] = [];
    const sendBatch = (messages: unknown[]) => Promise.resolve(void sent.push(...messages));
    const consume = consumerOf({
      name: 'transfers',
      schema: messageSchemas.transfers,
      consume: () => Promise.reject(new Error('lost')),
      onFailure: { sendAgainSeconds: 7 },
    });
    const batch = batchOf('transfers', { v: 1, shard: 0 }, { v: 1, shard: 1 }, 'nonsense');
    await consume(batch, { ...env, TRANSFERS: { sendBatch } as unknown as Queue });
    expect(sent).toEqual([0, 1].map((shard) => ({ body: { v: 1, shard }, delaySeconds: 7 })));
    expect([batch.ackAll, batch.retryAll].map(({ mock }) => mock.calls.length)).toEqual([1, 0]);
    expect(logged.mock.calls.at(-1)?.[0]).toContain('"queue_run_repeated"');
  });

  it('is found by the name of the queue, whatever the deployment is called', async () => {
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    for (const prefix of ['', 'shop-', 'mail-', 'webhook-slow-0-sweep-']) {
      for (const queue of [
        'webhook-fast-11',
        'webhook-slow-0',
        'webhook-dead-letters',
        sweep,
        'transfers',
        'mail',
      ]) {
        const batch = batchOf(`${prefix}${queue}`, 'nonsense');
        await worker.queue(batch, env, context);
        expect(batch.ackAll).toHaveBeenCalledOnce();
        const line = JSON.parse(String(logged.mock.lastCall?.[0])) as Record<string, unknown>;
        const kind = queue.replace(/-\d+$/, '').replace('slow', 'fast');
        expect(line['queue'] ?? line['event']).toBe(
          kind === 'webhook-dead-letters' ? 'webhook_wakeups_dead' : kind,
        );
      }
    }
    const unknown = worker.queue(batchOf('shop-emails', {}), env, context);
    await expect(unknown).rejects.toThrow('no consumer of the queue shop-emails');
  });

  it('reads what the release before sent', () => {
    const join = { generation: 3, worker: 7 };
    expect([
      messageSchemas[wakeup].parse({ v: 1, shard: 2, endpoint: 5 }),
      messageSchemas[wakeup].parse({ v: 1, shard: 2, endpoint: 5, join }),
      messageSchemas['webhook-dead-letters'].parse({ v: 1, shard: 2, endpoint: 5 }),
      messageSchemas.sweep.parse({ v: 1, shard: 2, round: 8 }),
      messageSchemas.transfers.parse({ v: 1, shard: 2 }),
      messageSchemas.mail.parse({ v: 1 }),
    ]).toEqual([
      { v: 1, shard: 2, endpoint: 5 },
      { v: 1, shard: 2, endpoint: 5, join },
      { v: 1, shard: 2, endpoint: 5, error: 'unknown' },
      { v: 1, shard: 2, round: 8 },
      { v: 1, shard: 2 },
      { v: 1 },
    ]);
  });
});

describe('a wake-up', () => {
  it('is sent in calls of 100, and never rejects where its loss costs a minute only', async () => {
    using warned = vi.spyOn(console, 'warn').mockReturnValue();
    const sizes: number[] = [];
    const sendBatch = (messages: unknown[]) => Promise.resolve(void sizes.push(messages.length));
    const SWEEP = { sendBatch } as unknown as Queue;
    const messages = Array.from({ length: 250 }, (_, shard) => ({
      body: { v: 1, shard, round: 0 } as const,
    }));
    await send({ ...env, SWEEP }, 'sweep', messages);
    expect(sizes).toEqual([100, 100, 50]);
    const full = { sendBatch: () => Promise.reject(new Error('Too Many Requests')) };
    const broken = { ...env, MAIL: full } as unknown as Env;
    await wake(broken, 'mail', { v: 1 });
    expect(JSON.parse(String(warned.mock.calls[0]?.[0]))).toMatchObject({
      event: 'wakeup_not_sent',
      queue: 'mail',
      message: 'Too Many Requests',
    });
  });
});
