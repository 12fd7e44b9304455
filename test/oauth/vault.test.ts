import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/base/crypto/digest.ts';
import { randomBase64 } from '../../src/base/crypto/random.ts';
import { handleTokenRequest } from '../../src/oauth/token/token-endpoint.ts';
import { readCodeRecord, readGrantRecord } from '../../src/oauth/vault.ts';
import { kvMisbehaviours } from '../support/fakes/misbehaving-kv.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  createTestApp,
  approveConsent,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
} from '../support/oauth/partner.ts';
import '../support/fixtures/first-shard.ts';

/** Posts a form and does not wait for deferred work. */
async function postWithoutWaiting(
  form: ReturnType<typeof redemptionForm>,
  GRANTS: unknown,
  now: number,
) {
  const body = new URLSearchParams(form as Record<string, string>);
  const request = new Request('https://api.test/oauth/token', { method: 'POST', body });
  const bindings = { ...env, GRANTS: GRANTS as KVNamespace };
  const response = await handleTokenRequest(bindings, request, now, () => undefined);
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** Returns the outcome of each request in the life of one grant, from consent to its end. */
async function outcomesOfGrant(GRANTS: unknown): Promise<unknown[]> {
  const now = Date.UTC(2026, 5, 1);
  const approved = await approveConsent(await createTestStore(), await createTestApp(), { now });
  const outcomes: unknown[] = [];
  const record = ({ status, body }: { status: number; body: Record<string, string> }) => {
    outcomes.push([
      status,
      body.error,
      body.hint,
      body.scope,
      body.merchant === approved.store.alias,
    ]);
    return body.refresh_token ?? '';
  };
  const validForm = redemptionForm(approved);
  record(await postWithoutWaiting({ ...validForm, code_verifier: 'b'.repeat(43) }, GRANTS, now));
  const first = record(await postWithoutWaiting(validForm, GRANTS, now));
  const second = record(await postWithoutWaiting(refreshForm(approved.app, first), GRANTS, now));
  record(await postWithoutWaiting(refreshForm(approved.app, first), GRANTS, now + 1_000));
  record(await postWithoutWaiting(refreshForm(approved.app, first), GRANTS, now + 3_600_000));
  record(await postWithoutWaiting(validForm, GRANTS, now + 3_600_000));
  record(await postWithoutWaiting(refreshForm(approved.app, second), GRANTS, now + 3_600_000));
  return outcomes;
}

describe('KV records', () => {
  it('are sealed again with the next refresh after the sealing key changed', async () => {
    const { app, grantId, tokens } = await connectApp(await createTestStore());
    const rotating = {
      ...env,
      SEALING_KEY: randomBase64(32),
      SEALING_KEY_PREVIOUS: env.SEALING_KEY,
    } as unknown as Env;
    expect(await readGrantRecord(rotating, grantId)).toMatchObject({ isCurrent: false });
    await postToken(refreshForm(app, tokens.refresh_token), { bindings: rotating });
    const rotated = { ...rotating, SEALING_KEY_PREVIOUS: undefined } as unknown as Env;
    expect(await readGrantRecord(rotated, grantId)).toMatchObject({ isCurrent: true });
  });

  it('hold each code and each chain of refresh tokens, sealed, under hashed keys', async () => {
    const connected = await connectApp(await createTestStore());
    const expected = {
      clientId: connected.app.client_id,
      storeAlias: connected.store.alias,
      userId: connected.store.userId,
      scopes: connected.app.scopes,
    };
    expect(await readCodeRecord(env, connected.code)).toEqual(expected);
    const found = await readGrantRecord(env, connected.grantId);
    expect(found).toEqual({ ...expected, isCurrent: true });
    const keys = [`code:${await sha256(connected.code)}`, `rt:${await sha256(connected.grantId)}`];
    for (const key of keys) {
      const stored = await env.GRANTS.get(key);
      expect(stored).toMatch(/^v[12]\./);
      for (const secret of [
        connected.code,
        connected.grantId,
        connected.app.client_id,
        connected.store.alias,
      ]) {
        expect(`${key} ${stored}`).not.toContain(secret);
      }
    }
  });

  it('are written once: a refresh does not change the record', async () => {
    const connected = await connectApp(await createTestStore());
    const key = `rt:${await sha256(connected.grantId)}`;
    const before = await env.GRANTS.get(key);
    await postToken(refreshForm(connected.app, connected.tokens.refresh_token));
    expect(await env.GRANTS.get(key)).toBe(before);
  });

  it.each(Object.entries(kvMisbehaviours))(
    'attack E18: no outcome changes when KV is %s',
    async (_how, kv) => {
      // Were one of them awaited, the test with the KV that never answers would not end.
      expect(await outcomesOfGrant(kv)).toEqual(await outcomesOfGrant(env.GRANTS));
    },
  );

  it('attack E18: no outcome changes when records are deleted', async () => {
    const connected = await connectApp(await createTestStore());
    await env.GRANTS.delete(`rt:${await sha256(connected.grantId)}`);
    await env.GRANTS.delete(`code:${await sha256(connected.code)}`);
    expect(
      (await postToken(refreshForm(connected.app, connected.tokens.refresh_token))).status,
    ).toBe(200);
    // A missing record of a chain is written again.
    expect(await readGrantRecord(env, connected.grantId)).toBeDefined();
    expect((await postToken(redemptionForm(connected))).body.hint).toBe(
      'Authorization code has been revoked',
    );
  });

  it('raise an alarm when the database has lost their grant, which is refused', async () => {
    const connected = await connectApp(await createTestStore());
    await env.STORE_0.prepare('delete from oauth_grants where id = ?')
      .bind(connected.grantId)
      .run();
    const errorLog = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { status, body } = await postToken(
      refreshForm(connected.app, connected.tokens.refresh_token),
    );
    expect(errorLog.mock.calls.join()).toContain('oauth_grant_lost');
    errorLog.mockRestore();
    expect([status, body.hint]).toEqual([400, 'Token has been revoked']);
  });
});
