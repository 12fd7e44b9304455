import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createSellingStore, placeTestOrder } from '../support/fixtures/selling-store.ts';
import '../support/fixtures/first-shard.ts';

/** Adds 99 copies of a record, which differ in their id and in the given columns. */
async function copyRecord(
  table: 'invoices' | 'transactions',
  id: number,
  columnsOf: (copy: number) => Record<string, string> = () => ({}),
) {
  const record = await env.STORE_0.prepare(`select * from ${table} where id = ?`)
    .bind(id)
    .first<Record<string, string | number | null>>();
  const copies = Array.from({ length: 99 }, (_, index) => ({
    ...record,
    id: 8_000_000_000 + id * 1_000 + index,
    ...columnsOf(index),
  }));
  await env.STORE_0.batch(
    copies.map((copy) =>
      env.STORE_0.prepare(
        `insert into ${table} (${Object.keys(copy).join()})
          values (${Object.keys(copy).fill('?').join()})`,
      ).bind(...Object.values(copy)),
    ),
  );
}

describe('an order', () => {
  it('has at most 100 invoices, beyond which another is 409', async () => {
    const shop = await createSellingStore();
    const order = await placeTestOrder(shop, { status: 'paid' });
    const issue = (number: number) =>
      shop.api(`POST /orders/${order.id}/invoices`, {
        number,
        series: 1,
        access_key: String(number).padStart(44, '5'),
        value: 1,
        issued_at: '2031-03-05 09:04:07',
      });
    const { body } = await issue(1);
    await copyRecord('invoices', body.data.id, (copy) => ({
      access_key_key: `7${String(copy).padStart(43, '0')}`,
    }));
    const { status, body: refused } = await issue(2);
    expect([status, refused.code]).toEqual([409, 'too_many_invoices']);
  });

  it('has at most 100 transactions, beyond which another is 409', async () => {
    const shop = await createSellingStore();
    const payment_id = shop.payments.pix;
    const order = await placeTestOrder(shop, { payment_id });
    await copyRecord('transactions', order.transactions.data[0].id);
    const { status, body } = await shop.api(`POST /orders/${order.id}/transactions`, {
      payment_id,
    });
    expect([status, body.code]).toEqual([409, 'too_many_transactions']);
  });
});
