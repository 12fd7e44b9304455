import { describe, expect, it } from 'vitest';
import { callApi } from '../support/api/client.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';

describe('POST /auth/me', () => {
  it('returns 200 with the user and every store, each in its own time zone', async () => {
    const { headers, alias, userId } = await createTestStore({
      zone: 'America/Manaus',
      active: false,
    });
    const { status, body } = await callApi('POST', '/v2/auth/me', { headers });
    expect(status).toBe(200);
    expect(body).toMatchObject({ id: userId, type: 'user', is_owner: true, super_user: false });
    expect(body.created_at.timezone).toBe('America/Sao_Paulo');
    expect(body.created_at_timestamp).toBeTypeOf('number');
    expect(body.merchants.data).toMatchObject([
      { alias, active: false, has_domain: false, created_at: { timezone: 'America/Manaus' } },
    ]);
  });

  it('returns 200 with super_user true for an operator', async () => {
    const { headers } = await createTestOperator();
    const { status, body } = await callApi('POST', '/v2/auth/me', { headers });
    expect([status, body.super_user, body.is_owner]).toEqual([200, true, false]);
  });

  it('returns 200 whatever the body', async () => {
    const { headers } = await createTestStore();
    const response = await callApi('POST', '/v2/auth/me', {
      headers: { ...headers, 'Content-Type': 'text/plain' },
      raw: 'hello',
    });
    expect(response.status).toBe(200);
  });

  it('returns nothing about stored credentials', async () => {
    const { headers } = await createTestStore();
    const { body } = await callApi('POST', '/v2/auth/me', { headers });
    expect(JSON.stringify(body)).not.toMatch(/hash|secret|token|shard/);
  });
});
