import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createTestStore } from '../../support/fixtures/store.ts';
import { fence, move, runMoves } from '../../support/move/run-moves.ts';
import {
  approveConsent,
  connectApp,
  createTestApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../../support/oauth/partner.ts';

describe('the tokens of a store that has moved', () => {
  it('work on: the access token reads, and the refresh token gets one that names the new shard', async () => {
    const shop = await createTestStore({ shard: 0 });
    const connected = await connectApp(shop);
    await move(shop, 0, 1);
    expect((await connected.api('GET /catalog/brands')).status).toBe(200);
    const refreshed = await postToken(refreshForm(connected.app, connected.tokens.refresh_token));
    expect(refreshed.status).toBe(200);
    // The old database is not asked any more.
    const bindings = { ...env, STORE_0: undefined } as unknown as Env;
    const again = await postToken(refreshForm(connected.app, refreshed.body.refresh_token), {
      bindings,
    });
    expect(again.status).toBe(200);
  });

  it('redeem a code of the time before', async () => {
    const shop = await createTestStore({ shard: 0 });
    const approved = await approveConsent(shop, await createTestApp());
    await move(shop, 0, 1);
    expect((await postToken(redemptionForm(approved))).status).toBe(200);
    const replayed = await postToken(redemptionForm(approved));
    expect([replayed.status, replayed.body.error]).toEqual([400, 'invalid_grant']);
  });

  it('detect a copied refresh token of the time before, which ends the grant with 400', async () => {
    const shop = await createTestStore({ shard: 0 });
    const { app, tokens, api } = await connectApp(shop);
    const first = await postToken(refreshForm(app, tokens.refresh_token));
    const second = await postToken(refreshForm(app, first.body.refresh_token));
    await move(shop, 0, 1);
    expect((await postToken(refreshForm(app, tokens.refresh_token))).status).toBe(400);
    expect((await postToken(refreshForm(app, second.body.refresh_token))).status).toBe(400);
    expect((await api('GET /catalog/brands')).status).toBe(401);
  });

  it('are 503 temporarily_unavailable while the store leaves, and work again afterwards', async () => {
    const shop = await createTestStore({ shard: 0 });
    const { app, tokens } = await connectApp(shop);
    await fence(shop, 0, 1);
    const refused = await postToken(refreshForm(app, tokens.refresh_token));
    expect([refused.status, refused.body.error]).toEqual([503, 'temporarily_unavailable']);
    await runMoves(0, Date.now() + 60_000);
    expect((await postToken(refreshForm(app, tokens.refresh_token))).status).toBe(200);
  });
});
