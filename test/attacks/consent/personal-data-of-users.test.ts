import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { addTestKey } from '../../support/fixtures/keys.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { connectApp } from '../../support/oauth/partner.ts';

const personalFields = [
  'social_name',
  'cpf',
  'phone',
  'address_street',
  'address_number',
  'address_neighborhood',
  'address_complement',
  'address_city',
  'address_state',
  'address_zipcode',
  'temporary_email',
  'birthday',
  'avatar_url',
] as const;

/** Creates a store whose owner has a value in every personal field. */
async function createKnownOwner() {
  const store = await createTestStore();
  await env.DIRECTORY.prepare(
    `update users set ${personalFields.map((name) => `${name} = 'secret ${name}'`).join(', ')},
      last_login_at = 1, confirmed_at = 1 where id = ?`,
  )
    .bind(store.userId)
    .run();
  return store;
}

describe('POST /auth/me', () => {
  it('returns 200 to an app with name, e-mail address and store, as the consent page says, and null for the rest', async () => {
    const store = await createKnownOwner();
    const { headers } = await connectApp(store);
    const { status, body } = await callApi('POST', '/v2/auth/me', { headers });
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('secret');
    for (const name of [...personalFields, 'last_login_at', 'confirmed_at']) {
      expect(body[name], name).toBeNull();
    }
    expect(body).toMatchObject({ id: store.userId, name: 'Test Owner' });
    expect(body.email).toContain('@store.test');
    expect(body.merchants.data).toMatchObject([
      { alias: store.alias, name: 'Test Store', owner_email: null, owner_created_at: null },
    ]);
  });

  it('returns 200 to an API key with chosen scopes with name, address and stores, and null for the rest', async () => {
    const store = await createKnownOwner();
    const headers = await addTestKey(store.userId, { scopes: ['catalog.read'] });
    const { status, body } = await callApi('POST', '/v2/auth/me', { headers });
    expect(status).toBe(200);
    for (const name of [...personalFields, 'last_login_at', 'confirmed_at']) {
      expect(body[name], name).toBeNull();
    }
    expect(body).toMatchObject({ id: store.userId, name: 'Test Owner' });
    expect(body.merchants.data).toMatchObject([
      { alias: store.alias, owner_email: null, owner_created_at: null },
    ]);
  });

  it('returns 200 with everything to an API key', async () => {
    const store = await createKnownOwner();
    const { status, body } = await callApi('POST', '/v2/auth/me', { headers: store.headers });
    expect(status).toBe(200);
    for (const name of personalFields) expect(body[name]).toBe(`secret ${name}`);
    expect(body.last_login_at).not.toBeNull();
    expect(body.merchants.data[0].owner_email).toContain('@store.test');
  });
});
