import { describe, expect, it } from 'vitest';
import { sendErrors } from '../../../src/webhooks/delivery/outcome.ts';
import { explainFailure } from '../../../src/webhooks/operations/explain-failures.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { databaseOf } from '../../support/fixtures/shards.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { createTestWebhook, fillDeliveryLog } from '../../support/webhooks/delivery-log.ts';

interface Attempt {
  seq: number;
  number?: number;
  at: number;
  status: number | null;
  error: string | null;
  body?: string;
}

/** Writes attempts into the log, as a delivery run does. */
async function addAttempts(shop: TestStore, id: number, attempts: readonly Attempt[]) {
  const insert = databaseOf(shop).prepare(
    `insert into webhook_attempts (endpoint_id, seq, number, at, response_status, error, duration_ms, response_body, host)
     values (?, ?, ?, ?, ?, ?, 12, ?, 'hooks.example.com')`,
  );
  await databaseOf(shop).batch(
    attempts.map(({ seq, number = 1, at, status, error, body }) => {
      const snippet = { text: body, encoding: 'utf-8', truncated: false };
      const text = body === undefined ? null : JSON.stringify(snippet);
      return insert.bind(id, seq, number, at, status, error, text);
    }),
  );
}

const setEndpoint = (shop: TestStore, id: number, set: string) =>
  databaseOf(shop).prepare(`update webhook_endpoints set ${set} where id = ?`).bind(id).run();

const hour = 3_600_000;

describe('GET /{alias}/webhooks/{id}/failures', () => {
  it('returns 200 with the causes of the newest attempts in words, the latest first', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await fillDeliveryLog(shop, id, { count: 3, state: 0 });
    const now = Date.now();
    await addAttempts(shop, id, [
      { seq: 1, at: now - 3 * hour, status: 404, error: 'http_4xx', body: 'Cannot POST /hooks' },
      { seq: 1, number: 2, at: now - hour, status: null, error: 'timeout' },
      { seq: 2, at: now - 2 * hour, status: 404, error: 'http_4xx', body: 'x'.repeat(400) },
      { seq: 3, at: now, status: 200, error: null },
    ]);
    await setEndpoint(shop, id, `first_failure_at = ${now - 3 * hour}`);
    const { status, body } = await shop.api(`GET /webhooks/${id}/failures`);
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id,
      state: 'failing',
      summary: expect.stringContaining('does not accept'),
      advice: expect.stringContaining('Answer with 2xx'),
      failing_since: { timezone: 'America/Sao_Paulo' },
      last_success_at: null,
    });
    expect(body.data.causes).toMatchObject([
      { error: 'timeout', code: null, count: 1, seq: 1, event: 'product.created' },
      {
        error: 'http_4xx',
        code: 404,
        count: 2,
        seq: 2,
        meaning: 'Your server has nothing at the path of the url.',
        host: 'hooks.example.com',
        response_text: 'x'.repeat(300),
      },
    ]);
  });

  it('says what to do about one that was never tried, is paused, or was switched off', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    const read = async () => (await shop.api(`GET /webhooks/${id}/failures`)).body.data;
    expect(await read()).toMatchObject({
      state: 'active',
      advice: expect.stringContaining('Send a ping'),
      causes: [],
    });
    await setEndpoint(shop, id, 'status = 1');
    expect(await read()).toMatchObject({ state: 'paused', next_attempt_at: null });
    await addAttempts(shop, id, [{ seq: 1, at: Date.now(), status: 410, error: 'http_4xx' }]);
    await setEndpoint(shop, id, 'status = 2');
    expect(await read()).toMatchObject({
      state: 'disabled',
      advice: expect.stringMatching(/^If the address is really gone, .* releases what was held\.$/),
    });
    await databaseOf(shop)
      .prepare(
        `insert into webhook_notices (store_id, endpoint_id, kind, at) values (?, ?, 'gone', 1)`,
      )
      .bind(shop.id, id)
      .run();
    expect(await read()).toMatchObject({
      state: 'gone',
      advice:
        'If the address is really gone, delete the webhook. If not, answer 2xx again, send a ping, and resume the webhook: that releases what was held.',
    });
  });

  it('returns 404 for a deleted webhook, and for one of another store', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const id = await createTestWebhook(shop);
    expect((await other.api(`GET /webhooks/${id}/failures`)).status).toBe(404);
    await shop.api(`DELETE /webhooks/${id}`);
    expect((await shop.api(`GET /webhooks/${id}/failures`)).status).toBe(404);
  });

  it('reads at most 500 rows in one round trip, however long the log is', async () => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await addAttempts(
      shop,
      id,
      Array.from({ length: 400 }, (_, index) => ({
        seq: index + 1,
        at: Date.now() + index,
        status: 500 + (index % 20),
        error: 'http_5xx',
      })),
    );
    const { response, data } = await measureRequest(shop, `GET /webhooks/${id}/failures`);
    expect(response.body.data.causes).toHaveLength(20);
    expect(data.roundTrips).toBe(1);
    expect(data.rowsRead).toBeLessThan(500);
  });

  it('has a sentence for each error, and another for statuses that say more', () => {
    const meanings = sendErrors.map((error) => explainFailure(error, null).meaning);
    expect(new Set(meanings).size).toBe(sendErrors.length);
    expect(explainFailure('http_4xx', 401)).not.toEqual(explainFailure('http_4xx', 418));
  });
});
