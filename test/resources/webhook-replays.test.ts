import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { advanceReplays, replayStep } from '../../src/events/replay-advance.ts';
import { measured } from '../support/counted.ts';
import { auditOf, endpointOf, fillLog, logOf, webhookOf } from '../support/log.ts';
import { store, type TestStore } from '../support/store.ts';

const day = 86_400_000;
const ago = (ms: number) => new Date(Date.now() - ms).toISOString();

const advance = (db: D1Database = env.STORE_0) =>
  advanceReplays({ env, shard: 0, db, now: Date.now, mayGoOn: () => true });

const replays = (id: number) => `POST /webhooks/${id}/replays`;

async function progress(shop: TestStore, id: number, replay: number) {
  return (await shop.api(`GET /webhooks/${id}/replays/${replay}`)).body.data;
}

/** Runs cron until the replay has ended. */
async function finish(shop: TestStore, id: number, replay: number) {
  for (let run = 0; run < 40; run += 1) {
    const shown = await progress(shop, id, replay);
    if (shown.state !== 'running') return shown;
    await advance();
  }
  throw new Error('no end');
}

/** The events that were sent again, in the order of their new numbers. */
async function resent(id: number) {
  const log = await logOf(id);
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, at) => at + 1));
  expect((await endpointOf(id))?.last_seq).toBe(log.length);
  return log.filter(({ trigger }) => trigger === 'replay');
}

describe('POST /{alias}/webhooks/{id}/replays', () => {
  it('201, fault 49: one delivery: the same event, a new number, the original unchanged', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 2 });
    const before = (await logOf(id))[0];
    const { status, body } = await shop.api(replays(id), { seq: 1 });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({ seq: 1, state: 'done', total: 1, done: 1, from: null });
    expect((await logOf(id))[0]).toEqual(before);
    expect(await resent(id)).toMatchObject([
      { seq: 3, event_id: before?.event_id, state: 0, replay_of: 1, attempts: 0 },
    ]);
    expect((await endpointOf(id))?.wake_at).toBeGreaterThan(0);
    expect((await auditOf(id)).at(-1)?.action).toBe('replayed');
  });

  it('201 for one event, which need not have been delivered to this webhook', async () => {
    const shop = await store();
    const [one, other] = [await webhookOf(shop), await webhookOf(shop)];
    await fillLog(shop, one, { count: 1 });
    const event_id = String((await logOf(one))[0]?.event_id);
    const { body } = await shop.api(replays(other), { event_id });
    expect(body.data).toMatchObject({ event_id, state: 'done', done: 1 });
    expect(await resent(other)).toMatchObject([{ event_id, seq: 1, replay_of: null }]);
  });

  it('201 held while the webhook is paused', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 1 });
    await shop.api(`PUT /webhooks/${id}`, { active: false });
    await shop.api(replays(id), { seq: 1 });
    expect(await resent(id)).toMatchObject([{ state: 3 }]);
  });

  it('404 for a delivery that is not there, an event of another kind or of another store', async () => {
    const [shop, other] = [await store(), await store()];
    const [id, foreign] = [await webhookOf(shop), await webhookOf(other)];
    await fillLog(shop, id, { count: 1, event: 'order.paid' });
    await fillLog(other, foreign, { count: 1 });
    for (const webhook of [id, foreign]) {
      const event_id = (await logOf(webhook))[0]?.event_id;
      const answer = await shop.api(replays(id), { event_id });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([404, ['event_id']]);
    }
    expect((await shop.api(replays(id), { seq: 2 })).status).toBe(404);
    expect(await resent(id)).toEqual([]);
  });

  it('410, fault 51: once the body is purged, and nothing is added', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 1, body: null });
    const { status, body } = await shop.api(replays(id), { seq: 1 });
    expect([status, Object.keys(body.errors)]).toEqual([410, ['seq']]);
    expect(await resent(id)).toEqual([]);
  });

  it.each<[string, object, string[]]>([
    ['nothing is named', {}, ['seq', 'event_id', 'from']],
    ['two are named', { seq: 1, from: ago(day) }, ['seq', 'from']],
    ['the range is too old', { from: ago(31 * day) }, ['from']],
    ['the range ends before it begins', { from: ago(day), to: ago(2 * day) }, ['from']],
    ['a state is none', { from: ago(day), states: ['open'] }, ['states.0']],
    ['an event is none', { from: ago(day), events: ['product.sold'] }, ['events.0']],
    ['the number is none', { seq: 0 }, ['seq']],
  ])('422 when %s', async (_why, body, fields) => {
    const shop = await store();
    const answer = await shop.api(replays(await webhookOf(shop)), body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
  });

  it('422 for a range of more than 10,000, and 10,000 are taken', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 10_000, since: Date.now() - 5 * day });
    const { body } = await shop.api(replays(id), { from: ago(6 * day) });
    expect(body.data).toMatchObject({ state: 'running', total: 10_000, done: 0 });
    // Or cron would send them all in the tests that come after.
    await shop.api(`DELETE /webhooks/${id}`);
    const more = await webhookOf(shop);
    await fillLog(shop, more, { count: 10_001, since: Date.now() - 5 * day });
    expect((await shop.api(replays(more), { from: ago(6 * day) })).status).toBe(422);
  });

  it('409 while another range is under way, also when both come at once', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 3 });
    const answers = await Promise.all(
      [1, 2, 3].map(() => shop.api(replays(id), { from: ago(day) })),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(refused?.body.code).toBe('replay_under_way');
  });

  it('sends a range once: what matches, oldest first, without replays of replays', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 2, since: Date.now() - 10 * day });
    await fillLog(shop, id, { count: 2, since: Date.now() - 3 * day });
    await fillLog(shop, id, { count: 1, state: 2, since: Date.now() - 3 * day + 9_000 });
    await fillLog(shop, id, { count: 1, body: null, since: Date.now() - 3 * day + 20_000 });
    await fillLog(shop, id, { count: 1, event: 'order.paid', since: Date.now() - 2 * day });
    await shop.api(replays(id), { seq: 3 });
    const range = { from: ago(4 * day), to: ago(day) };
    const { body } = await shop.api(replays(id), range);
    expect(body.data).toMatchObject({
      state: 'running',
      total: 5,
      states: ['delivered', 'gave_up'],
    });
    expect(await finish(shop, id, body.data.id)).toMatchObject({
      state: 'done',
      done: 4,
      skipped: 1,
    });
    expect((await resent(id)).map(({ replay_of }) => replay_of)).toEqual([3, 3, 4, 5, 7]);
    const second = await shop.api(replays(id), { ...range, states: ['gave_up'] });
    await finish(shop, id, second.body.data.id);
    expect((await resent(id)).slice(5).map(({ replay_of }) => replay_of)).toEqual([5]);
    const third = await shop.api(replays(id), { ...range, events: ['order.paid'] });
    await finish(shop, id, third.body.data.id);
    expect((await resent(id)).slice(6).map(({ replay_of }) => replay_of)).toEqual([7]);
  });

  it('is done at once when a range holds nothing', async () => {
    const shop = await store();
    const { body } = await shop.api(replays(await webhookOf(shop)), { from: ago(day) });
    expect(body.data).toMatchObject({ state: 'done', total: 0 });
  });

  it('costs two round trips', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 3 });
    expect((await measured(shop, replays(id), { seq: 1 })).data.trips).toBe(2);
    expect((await measured(shop, replays(id), { from: ago(day) })).data.trips).toBe(2);
  });
});

describe('a range that is being sent again', () => {
  it('goes on where it was when it dies at any batch, each event once', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    const count = replayStep * 3 + 7;
    await fillLog(shop, id, { count });
    const { body } = await shop.api(replays(id), { from: ago(day) });
    let batches = 0;
    // Every third batch fails after it was written, every other third before.
    const dying = {
      prepare: (sql: string) => env.STORE_0.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches % 3 === 1) throw new Error('power failure before');
        const results = await env.STORE_0.batch(statements);
        if (batches % 3 === 2) throw new Error('power failure after');
        return results;
      },
    } as unknown as D1Database;
    for (let run = 0; run < 40; run += 1) await advance(dying).catch(() => undefined);
    expect(await finish(shop, id, body.data.id)).toMatchObject({ done: count, skipped: 0 });
    const numbers = (await resent(id)).map(({ replay_of }) => replay_of);
    expect(numbers).toEqual(Array.from({ length: count }, (_, at) => at + 1));
  });

  it('is safe under runs at the same time', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    const count = replayStep * 2 + 1;
    await fillLog(shop, id, { count });
    const { body } = await shop.api(replays(id), { from: ago(day) });
    for (let run = 0; run < 3; run += 1) await Promise.all([advance(), advance(), advance()]);
    expect(await finish(shop, id, body.data.id)).toMatchObject({ state: 'done', done: count });
    expect(await resent(id)).toHaveLength(count);
  });

  it('does one bounded step each run, and wakes the lane', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: replayStep + 1 });
    const { body } = await shop.api(replays(id), { from: ago(day) });
    await advance();
    expect(await progress(shop, id, body.data.id)).toMatchObject({
      state: 'running',
      done: replayStep,
    });
    expect((await endpointOf(id))?.wake_at).toBeGreaterThan(0);
  });

  it('is cancelled with its webhook', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 3 });
    const { body } = await shop.api(replays(id), { from: ago(day) });
    await shop.api(`DELETE /webhooks/${id}`);
    expect(await finish(shop, id, body.data.id)).toMatchObject({ state: 'cancelled', done: 0 });
    expect(await logOf(id)).toHaveLength(3);
  });
});

describe('GET /{alias}/webhooks/{id}/replays', () => {
  it('200 newest first, each once by following the cursor', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 1 });
    for (let n = 0; n < 3; n += 1) await shop.api(replays(id), { seq: 1 });
    const { body } = await shop.api(`GET /webhooks/${id}/replays?limit=2`);
    expect(body.data).toHaveLength(2);
    const next = `GET /webhooks/${id}/replays?limit=2&cursor=${body.meta.cursor.next}`;
    const { body: rest } = await shop.api(next);
    const ids = [...body.data, ...rest.data].map((one: { id: number }) => one.id);
    expect(ids).toEqual(ids.toSorted((a, b) => b - a));
    expect([ids.length, rest.meta.cursor.next]).toEqual([3, '']);
    const { data } = await measured(shop, `GET /webhooks/${id}/replays`);
    expect(data.trips).toBe(1);
  });
});

describe('GET /{alias}/webhooks/{id}/replays/{replayId}', () => {
  it('200 with how far it has come', async () => {
    const shop = await store();
    const id = await webhookOf(shop);
    await fillLog(shop, id, { count: 1 });
    const { data: made } = (await shop.api(replays(id), { seq: 1 })).body;
    const { status, body } = await shop.api(`GET /webhooks/${id}/replays/${made.id}`);
    expect([status, body.data]).toEqual([200, made]);
  });
});
