import { describe, expect, it } from 'vitest';
import { call } from '../support/api.ts';
import { store } from '../support/store.ts';

describe('POST /auth/me', () => {
  it('200 with the user and every store, each in its own zone', async () => {
    const { headers, alias, userId } = await store({ zone: 'America/Manaus', active: false });
    const { status, body } = await call('POST', '/v2/auth/me', { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: userId, type: 'user', is_owner: true, super_user: false });
    expect(body.created_at.timezone).toBe('America/Sao_Paulo');
    expect(body.created_at_timestamp).toBeTypeOf('number');
    expect(body.merchants.data).toMatchObject([
      { alias, active: false, has_domain: false, created_at: { timezone: 'America/Manaus' } },
    ]);
  });

  it('200 whatever body comes along', async () => {
    const { headers } = await store();
    const answer = await call('POST', '/v2/auth/me', {
      headers: { ...headers, 'Content-Type': 'text/plain' },
      raw: 'hello',
    });
    expect(answer.status).toBe(200);
  });

  it('says nothing of how credentials are kept', async () => {
    const { headers } = await store();
    const { body } = await call('POST', '/v2/auth/me', { headers });
    expect(JSON.stringify(body)).not.toMatch(/hash|secret|token|shard/);
  });
});
