import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { shardBindings } from '../../../src/data/core/open-database.ts';
import { withdrawAppEverywhere, endWithdrawnGrants } from '../../../src/oauth/withdraw-app.ts';
import { handleWakeups } from '../../../src/webhooks/wakeup-handler.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp, postToken, refreshForm } from '../../support/oauth/partner.ts';
import { sweepAll } from '../../support/sweep.ts';

const service = createApp();

const withdrawals = { name: 'withdrawals', run: endWithdrawnGrants, untilMs: 20_000 };

/** The environment while shard 1 is being restored. `cost` counts what shard 1 was asked for. */
function restoringEnv() {
  const cost = noCost();
  const bindings = {
    ...env,
    STORE_1: countingDatabase(env.STORE_1, cost),
    RESTORING_SHARDS: '1',
  } as unknown as Env;
  return { cost, bindings };
}

describe('a shard that is being restored', () => {
  it('returns 503 for API requests to its stores with an API key or a token, and serves other shards', async () => {
    const { cost, bindings } = restoringEnv();
    const restoring = await createTestStore({ shard: 1 });
    const other = await createTestStore({ shard: 0 });
    const connected = await connectApp(restoring, { shard: 1 });
    const listBrands = (alias: string, headers: Record<string, string>) =>
      service.fetch(
        new Request(`https://api.test/v2/${alias}/catalog/brands`, { headers }),
        bindings,
        createExecutionContext(),
      );
    for (const headers of [restoring.headers, connected.headers]) {
      const response = await listBrands(restoring.alias, headers);
      expect([response.status, response.headers.get('Retry-After')]).toEqual([503, '2']);
    }
    expect((await listBrands(other.alias, other.headers)).status).toBe(200);
    expect(cost.roundTrips).toBe(0);
  });

  it('returns 503 temporarily_unavailable for its refresh tokens, which work again afterwards', async () => {
    const { cost, bindings } = restoringEnv();
    const { app, tokens } = await connectApp(await createTestStore({ shard: 1 }), { shard: 1 });
    const rejected = await postToken(refreshForm(app, tokens.refresh_token), { bindings });
    expect([rejected.status, rejected.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(cost.roundTrips).toBe(0);
    expect((await postToken(refreshForm(app, tokens.refresh_token))).status).toBe(200);
  });

  it('is skipped by the sweep and by wake-ups, without an error in the log', async () => {
    const { cost, bindings } = restoringEnv();
    expect([...shardBindings(bindings).keys()]).toEqual([0]);
    await sweepAll(bindings);
    const message = {
      id: '1',
      timestamp: new Date(),
      attempts: 1,
      body: { v: 1, shard: 1, endpoint: 1 },
    };
    let isAcknowledged = false;
    const batch = {
      queue: 'webhook-fast-0',
      messages: [message],
      ackAll: () => (isAcknowledged = true),
    };
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    await handleWakeups(batch as unknown as MessageBatch, bindings);
    expect([isAcknowledged, cost.roundTrips]).toEqual([true, 0]);
    expect(errors).not.toHaveBeenCalled();
    errors.mockRestore();
  });

  it('ends the grants of an app that was disabled meanwhile with its first sweep', async () => {
    const { cost, bindings } = restoringEnv();
    const connected = await connectApp(await createTestStore({ shard: 1 }), { shard: 1 });
    const other = await connectApp(await createTestStore());
    const now = Date.now();
    await withdrawAppEverywhere(bindings, connected.app.client_id, now);
    expect(cost.roundTrips).toBe(0);
    expect((await connected.api('GET /catalog/brands')).status).toBe(200);
    await sweepAll(env, Date.now, [[withdrawals]]);
    expect((await connected.api('GET /catalog/brands')).status).toBe(401);
    expect((await other.api('GET /catalog/brands')).status).toBe(200);
  });
});
