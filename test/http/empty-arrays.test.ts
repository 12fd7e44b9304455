import { expect, it } from 'vitest';
import { callApi } from '../support/api/client.ts';
import { createTestStore } from '../support/fixtures/store.ts';

it('an empty array is an empty body, at each door: 200 for a change of nothing, 422 or 400 without what is required', async () => {
  const store = await createTestStore();
  const settings = await store.api('GET /config/settings');
  expect((await store.api('PUT /config/settings', [])).body).toEqual(settings.body);
  for (const operation of [
    'POST /catalog/brands',
    'GET /catalog/categories',
    'DELETE /catalog/collections/1/products',
  ]) {
    const [array, object] = [await store.api(operation, []), await store.api(operation, {})];
    expect([array.status, array.body.errors]).toEqual([object.status, object.body.errors]);
  }
  const spaced = await callApi('PUT', `/v2/${store.alias}/config/settings`, {
    headers: store.headers,
    raw: ' [ \n] ',
  });
  expect(spaced.status).toBe(200);
  const filled = await store.api('PUT /config/settings', [{ cart_idle_minutes: 90 }]);
  expect([filled.status, filled.body.errors]).toEqual([422, { body: ['Must be an object.'] }]);
});

it('an empty array within a body is an empty object, and no unknown field', async () => {
  const store = await createTestStore();
  const sent = { name: 'Summer', active: true, restrictions: { include: [], exclude: [] } };
  const created = await store.api('POST /catalog/collections', sent, {
    Prefer: 'handling=strict',
  });
  expect([created.status, created.headers.get('X-Warning')]).toEqual([200, null]);
  const empty = await store.api('POST /catalog/collections', {
    ...sent,
    name: 'Winter',
    restrictions: {},
  });
  expect(created.body.restrictions).toEqual(empty.body.restrictions);
  const { body } = await store.api('POST /catalog/collections', {
    ...sent,
    restrictions: { include: { products_ids: { 1: 4, 3: 8 } } },
  });
  expect(JSON.stringify(body.errors)).toContain('array_values');
});
