import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { errorsOf, importLines, sendImport, toLines } from '../../support/transfers/transfers.ts';

const storedFiles = async (storeId: number) =>
  (await env.ARCHIVE.list({ prefix: `imports/${storeId}/` })).objects.length;

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

  it('returns 422 for no lines and for more than 10,000, and keeps no file', async () => {
    const store = await createTestStore();
    for (const [file, message] of [
      ['', 'Must have at least one line.'],
      ['\n \r\n\t', 'Must have at least one line.'],
      ['{}\n'.repeat(10_001), 'Must have at most 10,000 lines.'],
    ] as const) {
      const { status, body } = await sendImport(store, file);
      expect([status, body.errors]).toEqual([422, { body: [message] }]);
    }
    expect(await storedFiles(store.id)).toBe(0);
    const { data } = (await sendImport(store, `\n${'{}\n'.repeat(10_000)}\n`)).body;
    expect(data.total).toBe(10_000);
    // The other imports of this file would take turns with it.
    expect((await store.api(`DELETE /catalog/imports/${data.id}`)).status).toBeLessThan(300);
  });

  it('returns 413 for more than 32 MiB, with and without its length, and keeps no file', async () => {
    const store = await createTestStore();
    const chunk = new Uint8Array(1_048_576).fill(32);
    const stream = () => {
      let left = 33;
      return new ReadableStream<Uint8Array>({
        pull: (controller) => {
          left -= 1;
          if (left < 0) controller.close();
          else controller.enqueue(chunk.slice());
        },
      });
    };
    const streamed = await sendImport(store, stream() as unknown as string);
    expect([streamed.status, streamed.body.code]).toEqual([413, 'body_too_large']);
    const sized = await sendImport(store, new Uint8Array(33_554_433));
    expect(sized.status).toBe(413);
    expect(await storedFiles(store.id)).toBe(0);
  });

  it('may be stored in parts, have blank lines, no line feed at its end, and lines that are too long', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const long = (bytes: number) => ({ ignored: 'x'.repeat(bytes) });
    const file = [
      `\uFEFF${JSON.stringify(productLine(1, brand))}\r`,
      '',
      ...upTo(5).map((n) => JSON.stringify(productLine(1 + n, brand, long(900_000)))),
      JSON.stringify(productLine(7, brand, long(1_100_000))),
      JSON.stringify(productLine(8, brand, long(2_200_000))),
      JSON.stringify(productLine(9, brand)),
    ].join('\n');
    const done = await importLines(store, file);
    expect(done).toMatchObject({
      total: 9,
      done: 9,
      created: 7,
      failed: 2,
      bytes: file.length + 2,
    });
    expect(await errorsOf(store, done)).toEqual([
      '8 line: Must have at most 1 MiB.',
      '9 line: Must have at most 1 MiB.',
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
      '2 name: Required.',
      '2 simple: Required.',
      '2 brand_id: Required.',
      '2 active: Required.',
      '3 line: Must be valid JSON.',
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
