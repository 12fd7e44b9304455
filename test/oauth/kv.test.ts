import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../src/crypto/sha256.ts';
import { tokenEndpoint } from '../../src/oauth/token-endpoint.ts';
import { recordOfCode, recordOfGrant } from '../../src/oauth/vault.ts';
import { misbehaviours } from '../support/misbehaving-kv.ts';
import { app, approve, connect, post, redemption, refreshment } from '../support/partner.ts';
import { store } from '../support/store.ts';

/** Posts a form and does not wait for what is left for after the answer. */
async function postAtOnce(form: ReturnType<typeof redemption>, GRANTS: unknown, now: number) {
  const body = new URLSearchParams(form as Record<string, string>);
  const request = new Request('https://api.test/oauth/token', { method: 'POST', body });
  const given = { ...env, GRANTS: GRANTS as KVNamespace };
  const response = await tokenEndpoint(given, request, now, () => undefined);
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

/** What happens to one grant from consent to its end. */
async function story(GRANTS: unknown): Promise<unknown[]> {
  const now = Date.UTC(2026, 5, 1);
  const given = await approve(await store(), await app(), { now });
  const outcomes: unknown[] = [];
  const say = ({ status, body }: { status: number; body: Record<string, string> }) => {
    outcomes.push([status, body.error, body.hint, body.scope, body.merchant === given.store.alias]);
    return body.refresh_token ?? '';
  };
  const good = redemption(given);
  say(await postAtOnce({ ...good, code_verifier: 'b'.repeat(43) }, GRANTS, now));
  const first = say(await postAtOnce(good, GRANTS, now));
  const second = say(await postAtOnce(refreshment(given.app, first), GRANTS, now));
  say(await postAtOnce(refreshment(given.app, first), GRANTS, now + 1_000));
  say(await postAtOnce(refreshment(given.app, first), GRANTS, now + 3_600_000));
  say(await postAtOnce(good, GRANTS, now + 3_600_000));
  say(await postAtOnce(refreshment(given.app, second), GRANTS, now + 3_600_000));
  return outcomes;
}

describe('records in KV', () => {
  it('hold each code and each chain, sealed, under hashed keys', async () => {
    const own = await connect(await store());
    const record = {
      clientId: own.app.client_id,
      merchant: own.store.alias,
      userId: own.store.userId,
      scopes: own.app.scopes,
    };
    expect(await recordOfCode(env, own.code)).toEqual(record);
    expect(await recordOfGrant(env, own.grantId)).toEqual(record);
    const keys = [`code:${await sha256(own.code)}`, `rt:${await sha256(own.grantId)}`];
    for (const key of keys) {
      const stored = await env.GRANTS.get(key);
      expect(stored).toMatch(/^v1\./);
      for (const secret of [own.code, own.grantId, own.app.client_id, own.store.alias]) {
        expect(`${key} ${stored}`).not.toContain(secret);
      }
    }
  });

  it('are written once: a refresh leaves the record as it is', async () => {
    const own = await connect(await store());
    const key = `rt:${await sha256(own.grantId)}`;
    const before = await env.GRANTS.get(key);
    await post(refreshment(own.app, own.tokens.refresh_token));
    expect(await env.GRANTS.get(key)).toBe(before);
  });

  it.each(Object.entries(misbehaviours))(
    'E18: KV that is %s changes no outcome',
    async (_how, kv) => {
      const began = Date.now();
      expect(await story(kv)).toEqual(await story(env.GRANTS));
      expect(Date.now() - began).toBeLessThan(1_900);
    },
  );

  it('E18: records that are deleted change no outcome', async () => {
    const own = await connect(await store());
    await env.GRANTS.delete(`rt:${await sha256(own.grantId)}`);
    await env.GRANTS.delete(`code:${await sha256(own.code)}`);
    expect((await post(refreshment(own.app, own.tokens.refresh_token))).status).toBe(200);
    // The record of a chain is written again when it is missed.
    expect(await recordOfGrant(env, own.grantId)).toBeDefined();
    expect((await post(redemption(own))).body.hint).toBe('Authorization code has been revoked');
  });

  it('a grant that KV knows and the database has lost is refused, with an alarm', async () => {
    const own = await connect(await store());
    await env.STORE_0.prepare('delete from oauth_grants where id = ?').bind(own.grantId).run();
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    const { status, body } = await post(refreshment(own.app, own.tokens.refresh_token));
    expect(logged.mock.calls.join()).toContain('oauth_grant_lost');
    logged.mockRestore();
    expect([status, body.hint]).toEqual([400, 'Token has been revoked']);
  });
});
