import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { PlacementState } from '../../../src/data/schema/store/placement-tables.ts';
import { databaseOf } from '../../support/fixtures/shards.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { upTo } from '../../support/transfers/catalog.ts';
import { sendImport } from '../../support/transfers/transfers.ts';
import { startQuietImport } from '../../support/transfers/work.ts';

const app = createApp();

/** Sends an import whose body counts its reads, to a bucket that counts what is stored. */
async function upload({ alias, headers }: TestStore, more: Record<string, string> = {}) {
  const counts = { reads: 0, stored: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        counts.reads += 1;
        if (counts.reads > 3) controller.close();
        else controller.enqueue(new TextEncoder().encode('{}\n'));
      },
    },
    { highWaterMark: 0 },
  );
  const ARCHIVE = new Proxy(env.ARCHIVE, {
    get: (bucket, name) => {
      if (name === 'put' || name === 'createMultipartUpload') counts.stored += 1;
      const member: unknown = Reflect.get(bucket, name);
      return typeof member === 'function' ? member.bind(bucket) : member;
    },
  });
  const context = createExecutionContext();
  const request = new Request(`https://api.test/v2/${alias}/catalog/imports`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-ndjson', ...more },
    body,
  });
  const TRANSFERS = { sendBatch: async () => undefined } as unknown as Queue;
  const response = await app.fetch(request, { ...env, ARCHIVE, TRANSFERS }, context);
  const answer: { code?: string } = await response.json();
  await waitOnExecutionContext(context);
  return { status: response.status, code: answer.code, ...counts };
}

const unread = { reads: 0, stored: 0 };

/** A store with five unfinished imports. */
async function createFullStore() {
  const shop = await createTestStore();
  for (const _ of upTo(5)) await startQuietImport(shop, ['{}']);
  return shop;
}

describe('an import that cannot begin', () => {
  it('is 409 with five unfinished ones, and its body is neither read nor stored', async () => {
    const shop = await createFullStore();
    const refused = { status: 409, code: 'too_many_transfers', ...unread };
    expect(await upload(shop)).toEqual(refused);
    expect(await upload(shop, { 'Idempotency-Key': 'new' })).toEqual(refused);
  });

  it('is 503 while the store moves away', async () => {
    const shop = await createTestStore();
    await databaseOf(shop)
      .prepare('update placements set state = ? where store_id = ?')
      .bind(PlacementState.leaving, shop.id)
      .run();
    expect(await upload(shop)).toEqual({ status: 503, code: 'unavailable', ...unread });
  });

  it('is 403 for an inactive store, and for a key that does not belong to it', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const foreign = { ...shop, headers: other.headers };
    const refused = { status: 403, code: 'store_not_accessible', ...unread };
    expect(await upload(foreign)).toEqual(refused);
    await env.DIRECTORY.prepare('update stores set active = 0 where id = ?').bind(shop.id).run();
    expect(await upload(shop)).toEqual(refused);
  });

  it('is 403 for an API key that only reads', async () => {
    const shop = await createTestStore();
    await env.DIRECTORY.prepare('update api_keys set scopes = 1 where user_id = ?')
      .bind(shop.userId)
      .run();
    expect(await upload(shop)).toEqual({ status: 403, code: 'insufficient_scope', ...unread });
  });

  it('is 400 with a malformed Idempotency-Key', async () => {
    const shop = await createTestStore();
    const answer = await upload(shop, { 'Idempotency-Key': 'x'.repeat(256) });
    expect(answer).toEqual({ status: 400, code: 'invalid_idempotency_key', ...unread });
  });
});

describe('an import that began', () => {
  it('is 202 again for its key when five are unfinished, and 202 is stored once', async () => {
    const shop = await createTestStore();
    const key = { 'Idempotency-Key': 'nightly' };
    const first = await upload(shop, key);
    expect([first.status, first.stored]).toEqual([202, 1]);
    for (const _ of upTo(4)) await startQuietImport(shop, ['{}']);
    expect((await upload(shop, key)).status).toBe(202);
    const { objects } = await env.ARCHIVE.list({ prefix: `imports/${shop.id}/` });
    expect(objects).toHaveLength(5);
    const other = await sendImport(shop, ['{} '], key);
    expect([other.status, other.body.code]).toEqual([422, 'key_reused']);
  });
});
