import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { app as service } from '../../src/app.ts';
import { shardBindings } from '../../src/db/shards.ts';
import { consumeHints } from '../../src/events/hints-consumer.ts';
import { sweep } from '../../src/events/sweep.ts';
import { disableApp } from '../../src/oauth/disable-app.ts';
import { counting } from '../support/counted.ts';
import { connect, post, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

/** The Worker while the second shard is being restored; `cost` is what it asked of that. */
function restoring() {
  const cost = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  const bindings = {
    ...env,
    STORE_1: counting(env.STORE_1, cost),
    RESTORING: '1',
  } as unknown as Env;
  return { cost, bindings };
}

describe('a shard that is being restored', () => {
  it('503 for the rows of its stores, by either credential; the others are served', async () => {
    const { cost, bindings } = restoring();
    const [away, there] = [await store({ shard: 1 }), await store()];
    const connected = await connect(away, { shard: 1 });
    const get = (alias: string, headers: Record<string, string>) =>
      service.fetch(
        new Request(`https://api.test/v2/${alias}/catalog/brands`, { headers }),
        bindings,
        createExecutionContext(),
      );
    for (const headers of [away.headers, connected.headers]) {
      const answer = await get(away.alias, headers);
      expect([answer.status, answer.headers.get('Retry-After')]).toEqual([503, '2']);
    }
    expect((await get(there.alias, there.headers)).status).toBe(200);
    expect(cost.trips).toBe(0);
  });

  it('503 for its tokens, which clients take for what it is: the token is good afterwards', async () => {
    const { cost, bindings } = restoring();
    const { app, tokens } = await connect(await store({ shard: 1 }), { shard: 1 });
    const refused = await post(refreshment(app, tokens.refresh_token), { bindings });
    expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(cost.trips).toBe(0);
    expect((await post(refreshment(app, tokens.refresh_token))).status).toBe(200);
  });

  it('is left alone by cron and by hints, which nobody is called for', async () => {
    const { cost, bindings } = restoring();
    expect([...shardBindings(bindings).keys()]).toEqual([0]);
    await sweep(bindings);
    const message = {
      id: '1',
      timestamp: new Date(),
      attempts: 1,
      body: { v: 1, shard: 1, endpoint: 1 },
    };
    let isDone = false;
    const batch = { queue: 'webhook-fast-0', messages: [message], ackAll: () => (isDone = true) };
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    await consumeHints(batch as unknown as MessageBatch, bindings);
    expect([isDone, cost.trips]).toEqual([true, 0]);
    expect(errors).not.toHaveBeenCalled();
    errors.mockRestore();
  });

  it('keeps an app from being withdrawn as if it had been reached', async () => {
    const { bindings } = restoring();
    const { app } = await connect(await store({ shard: 1 }), { shard: 1 });
    await expect(disableApp(bindings, app.client_id, Date.now())).rejects.toMatchObject({
      status: 503,
    });
  });
});
