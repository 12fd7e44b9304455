import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { eraseUser } from '../../src/accounts/users/erase-user.ts';
import { createCompleteStore } from '../support/fixtures/complete-store.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { databaseOf } from '../support/fixtures/shards.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { operatorAction } from '../support/jobs.ts';

describe('POST /{alias}/customers/{id}/export', () => {
  it('returns 200 with everything that the store keeps about the customer, and nothing of another', async () => {
    const store = await createCompleteStore('Titular');
    const customerId = Number(store.ids['customers']);
    const email = 'Titular@customer.test';
    await store.api('POST /catalog/comments', {
      product_id: store.ids['products'],
      approved: true,
      name: 'Titular',
      email: email.toLowerCase(),
      message: 'Gostei',
    });
    const { status, body } = await store.api(`POST /customers/${customerId}/export`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      customers: [{ id: customerId, first_name: 'Titular', cpf: '11144477735' }],
      addresses: [{ customer_id: customerId, street: 'Titular' }],
      carts: [{ customer_id: customerId }],
      orders: [],
      left_out: [],
    });
    expect(body.data.product_comments.length).toBeGreaterThan(0);
    const buyer = await store.api(`POST /customers/${store.customerId}/export`);
    expect(buyer.body.data).toMatchObject({
      orders: [{ id: store.ids['orders'] }],
      transactions: [{ order_id: store.ids['orders'] }],
      carts: [],
      product_comments: [],
    });
    expect(JSON.stringify(buyer.body)).not.toContain('Titular@');
  });

  it('returns 404 for a customer of another store', async () => {
    const [store, other] = [await createCompleteStore('Um'), await createTestStore()];
    const { status } = await other.api(`POST /customers/${store.ids['customers']}/export`);
    expect(status).toBe(404);
  });
});

describe('DELETE /{alias}/customers/{id}', () => {
  it('takes the author out of comments too, and returns 200', async () => {
    const store = await createCompleteStore('Autora');
    const { status } = await store.api(`DELETE /customers/${store.ids['customers']}`);
    expect(status).toBe(200);
    const { results } = await databaseOf(store)
      .prepare('select name, email from product_comments where store_id = ?')
      .bind(store.id)
      .all();
    expect(results).toEqual([{ name: 'Anonymous', email: 'anonymous@example.invalid' }]);
    const left = await databaseOf(store)
      .prepare('select count(*) as n from carts where store_id = ? and email is not null')
      .bind(store.id)
      .first('n');
    expect(left).toBe(0);
  });
});

describe('POST /operator/users/{id}/erasures', () => {
  it('returns 200 and keeps no personal data; 409 for an owner, 404 for an unknown user', async () => {
    const operator = await createTestOperator();
    const { userId } = await createTestStore();
    const owner = await operator.api(`POST /operator/users/${userId}/erasures`, {
      reason: 'asked',
    });
    expect(owner.status).toBe(409);
    expect(owner.body).toMatchObject({ code: 'user_owns_stores' });
    const made = await operator.api('POST /operator/users', {
      name: 'Pedro Prado',
      email: `pedro-${crypto.randomUUID()}@users.test`,
      language: 'pt-BR',
    });
    const { id, email } = made.body.data as { id: number; email: string };
    await env.DIRECTORY.prepare(
      `insert into audit (at, actor_kind, actor_id, actor_name, action, target_kind, target_id)
        values (1, 'user', ?1, 'Pedro Prado', 'test', 'user', ?1)`,
    )
      .bind(String(id))
      .run();
    const erased = await operator.api(`POST /operator/users/${id}/erasures`, { reason: 'asked' });
    expect(erased.status).toBe(200);
    const again = await operator.api(`POST /operator/users/${id}/erasures`, { reason: 'asked' });
    expect(again.status).toBe(200);
    const tables = await env.DIRECTORY.prepare(
      `select name from sqlite_master where type = 'table' and name not like '\\_cf%' escape '\\' and name not like 'sqlite%' and name not like 'd1_%'`,
    ).all<{ name: string }>();
    for (const { name } of tables.results) {
      const { results } = await env.DIRECTORY.prepare(`select * from "${name}"`).all();
      const personal = results.filter((row) =>
        [email, 'Pedro Prado'].some((text) => JSON.stringify(row).includes(text)),
      );
      expect(personal, name).toEqual([]);
    }
    const lines = await env.DIRECTORY.prepare(
      `select count(*) as n from audit where action = 'user.erased' and target_id = ?`,
    )
      .bind(String(id))
      .first('n');
    expect(lines).toBe(1);
    const unknown = await operator.api('POST /operator/users/999999999/erasures', { reason: 'x' });
    expect(unknown.status).toBe(404);
    await expect(eraseUser(operatorAction(), { userId, reason: 'asked' })).rejects.toMatchObject({
      code: 'user_owns_stores',
    });
  });
});
