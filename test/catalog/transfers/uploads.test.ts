import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { storeUpload } from '../../../src/catalog/transfers/start-transfer.ts';
import { callApi } from '../../support/api/client.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { errorsOf, importLines, sendImport, toLines } from '../../support/transfers/transfers.ts';

const storedFiles = async (storeId: number) =>
  (await env.ARCHIVE.list({ prefix: `imports/${storeId}/` })).objects.length;

const text = (content: string) => new TextEncoder().encode(content);

/** A mebibyte of blank lines. */
const space = new Uint8Array(1_048_576).fill(32);

/** A body of so many equal chunks, and the number of those that were asked for. */
function bodyOf(chunk: Uint8Array, count: number) {
  let sent = 0;
  const body = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        if (sent === count) return controller.close();
        sent += 1;
        controller.enqueue(chunk.slice());
      },
    },
    { highWaterMark: 0 },
  );
  return { body, sent: () => sent };
}

describe('the file of an import', () => {
  it('returns 415 for another media type, and names the right one', async () => {
    const { alias, headers } = await createTestStore();
    for (const type of ['application/json', 'text/plain', 'multipart/form-data']) {
      const response = await callApi('POST', `/v2/${alias}/catalog/imports`, {
        headers: { ...headers, 'Content-Type': type },
        raw: '{}\n',
      });
      expect([response.status, response.headers.get('Accept')]).toEqual([
        415,
        'application/x-ndjson',
      ]);
    }
  });

  it('returns 422 for no lines, and keeps no file', async () => {
    const store = await createTestStore();
    for (const file of ['', '\n \r\n\t']) {
      const { status, body } = await sendImport(store, file);
      expect([status, body.errors]).toEqual([422, { body: ['Must have at least one line.'] }]);
    }
    expect(await storedFiles(store.id)).toBe(0);
    const { data } = (await sendImport(store, `\n${'{}\n'.repeat(10_001)}\n`)).body;
    expect(data.total).toBe(10_001);
    // The other imports of this file would take turns with it.
    expect((await store.api(`DELETE /catalog/imports/${data.id}`)).status).toBeLessThan(300);
  });

  it('returns 413 for more than 2 GiB before the body is read', async () => {
    const store = await createTestStore();
    const size = { 'Content-Length': String(2_147_483_649) };
    const sized = await sendImport(store, '{}\n', size);
    expect([sized.status, sized.body.code]).toEqual([413, 'body_too_large']);
    expect(await storedFiles(store.id)).toBe(0);
  });

  it('is refused while it arrives, when it has too many bytes or lines, and is not kept', async () => {
    const max = { bytes: 6_000_000, lines: 30 };
    const key = `imports/0/${crypto.randomUUID()}`;
    for (const [chunk, refusal] of [
      [space, { status: 413, code: 'body_too_large' }],
      [text('{}\n'.repeat(10)), { errors: { body: ['Must have at most 30 lines.'] } }],
    ] as const) {
      const { body, sent } = bodyOf(chunk, 40);
      const stored = storeUpload(env.ARCHIVE, key, { body, headers: new Headers() }, max);
      await expect(stored).rejects.toMatchObject(refusal);
      expect(sent()).toBeLessThan(10);
      expect(await env.ARCHIVE.head(key)).toBeNull();
    }
  });

  it('is stored while it arrives: one part of it is in memory, and one chunk', async () => {
    const parts: number[] = [];
    const { body, sent } = bodyOf(space, 16);
    let most = 0;
    const upload = {
      uploadPart: async (_number: number, part: ArrayBuffer) => {
        await Promise.resolve();
        most = Math.max(most, sent() * space.length - parts.reduce((sum, one) => sum + one, 0));
        parts.push(part.byteLength);
        return { partNumber: parts.length, etag: '' };
      },
      complete: () => Promise.resolve(),
      abort: () => Promise.resolve(),
    };
    const bucket = { createMultipartUpload: () => Promise.resolve(upload) } as unknown as R2Bucket;
    const stored = storeUpload(bucket, 'key', { body, headers: new Headers() });
    await expect(stored).rejects.toThrow();
    expect(parts).toEqual(upTo(3).map(() => 5_242_880));
    expect(most).toBeLessThanOrEqual(5_242_880 + 2 * space.length);
  });

  it('may be stored in parts, have blank lines, no line feed at its end, and lines that are too long', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const long = (bytes: number) => ({ ignored: 'x'.repeat(bytes) });
    const file = [
      `\uFEFF${JSON.stringify(productLine(1, brand))}\r`,
      '',
      ...upTo(3).map((n) => JSON.stringify(productLine(1 + n, brand, long(900_000)))),
      JSON.stringify(productLine(5, brand, long(1_100_000))),
      JSON.stringify(productLine(6, brand, long(2_200_000))),
      JSON.stringify(productLine(7, brand)),
    ].join('\n');
    const done = await importLines(store, file);
    expect(done).toMatchObject({
      total: 7,
      done: 7,
      created: 5,
      failed: 2,
      bytes: file.length + 2,
    });
    expect(await errorsOf(store, done)).toEqual([
      '6 line: Must have at most 1 MiB.',
      '7 line: Must have at most 1 MiB.',
    ]);
    expect(await storedFiles(store.id)).toBe(0);
  });

  it('has lines that are no UTF-8, too deep or too many members listed by their number', async () => {
    const store = await createTestStore();
    const text = new TextEncoder().encode(toLines(['[[[', { a: 1 }, '{"name":"X"']));
    text[text.length - 4] = 0xff;
    const deep = `${'{"a":'.repeat(101)}1${'}'.repeat(101)}`;
    const file = new Uint8Array([...text, ...new TextEncoder().encode(deep)]);
    const done = await importLines(store, file);
    expect(done).toMatchObject({ total: 4, failed: 4 });
    expect(await errorsOf(store, done)).toEqual([
      '1 line: Must be valid JSON.',
      '1 line: At column 4: the text ends too early.',
      '2 name: Required.',
      '2 simple: Required.',
      '2 brand_id: Required.',
      '2 active: Required.',
      '3 line: Must be valid JSON.',
      '3 line: Byte 9 is no UTF-8.',
      '4 line: Must be nested at most 100 levels deep.',
    ]);
  });

  it('is taken once for an idempotency key: 422 key_reused for another file', async () => {
    const store = await createTestStore();
    const key = { 'Idempotency-Key': 'nightly' };
    const first = await sendImport(store, ['{}'], key);
    const again = await sendImport(store, ['{}'], key);
    expect([again.status, again.body]).toEqual([202, first.body]);
    expect(again.headers.get('Location')).toBe(first.headers.get('Location'));
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
    const other = await sendImport(store, ['{} '], key);
    expect([other.status, other.body.code]).toEqual([422, 'key_reused']);
    const { body } = await store.api('GET /catalog/imports');
    expect(body.meta.pagination.total).toBe(1);
  });
});
