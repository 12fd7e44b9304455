import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/app.ts';
import { storeUpload } from '../../src/catalog/transfers/start-transfer.ts';
import { decodeBody } from '../../src/http/content-coding.ts';
import { readLimitedBody } from '../../src/http/read-request.ts';
import { callApi } from '../support/api/client.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { sendImport, workOff } from '../support/transfers/transfers.ts';

const app = createApp();
const limit = 1_048_576;
const brand = (name: string) => JSON.stringify({ name, active: true });

const send = (store: TestStore, coding: string, raw: BodyInit, further = {}) =>
  callApi('POST', `/v2/${store.alias}/catalog/brands`, {
    headers: { ...store.headers, 'Content-Encoding': coding, ...further },
    raw,
  });

/** A body that comes in chunks and counts what is read of it; it goes on with `rest` for ever. */
function chunked(first: Uint8Array, rest?: Uint8Array) {
  const counted = { bytes: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = counted.bytes < first.length ? first.subarray(counted.bytes) : rest;
        if (!chunk) return controller.close();
        const part = chunk.slice(0, 4_096);
        counted.bytes += part.length;
        controller.enqueue(part);
      },
    },
    { highWaterMark: 0 },
  );
  return { body, counted };
}

const coded = (coding: string, body: BodyInit | null) =>
  new Request('https://api.test/x', {
    method: 'POST',
    headers: { 'Content-Encoding': coding },
    body,
  });

/** A body of a gigabyte of blanks, which is a megabyte after gzip. */
const bomb = () => {
  const part = gzipSync(new Uint8Array(16 * limit).fill(32));
  return Uint8Array.from({ length: 64 * part.length }, (_, at) => part[at % part.length]!);
};

describe('a body with Content-Encoding', () => {
  it.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['GZip', gzipSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['identity', (bytes: Buffer) => bytes],
    ['', (bytes: Buffer) => bytes],
    ['identity, gzip', gzipSync],
  ])('%s is read as what it stands for', async (coding, encode) => {
    const store = await createTestStore();
    const name = 'Aurora é '.repeat(20).trim();
    const { status, body } = await send(store, coding, encode(Buffer.from(brand(name))));
    expect([status, body.data.name]).toEqual([201, name]);
  });

  it.each(['br', 'zstd', 'compress', 'gzip, gzip', 'none'])(
    '%s is 415, and the answer names what is read',
    async (coding) => {
      const store = await createTestStore();
      const { status, headers, body } = await send(store, coding, brand('Aurora'));
      expect([status, body.code]).toEqual([415, 'unsupported_media_type']);
      expect(headers.get('Accept-Encoding')).toBe('gzip, deflate');
      expect(body.hint).toContain('gzip, deflate');
    },
  );

  it.each<[why: string, coding: string, bytes: () => Uint8Array]>([
    ['is no gzip', 'gzip', () => Buffer.from(brand('Aurora'))],
    ['is zlib', 'gzip', () => deflateSync(brand('Aurora'))],
    ['was cut off', 'gzip', () => gzipSync(brand('Aurora')).subarray(0, -3)],
    [
      'has a wrong sum',
      'gzip',
      () =>
        gzipSync(brand('Aurora')).map((byte, at, all) => (at === all.length - 8 ? byte ^ 1 : byte)),
    ],
    ['goes on', 'gzip', () => Buffer.concat([gzipSync(brand('Aurora')), Buffer.from('more')])],
    ['goes on', 'deflate', () => Buffer.concat([deflateSync(brand('A')), Buffer.from('more')])],
    ['is no deflate', 'deflate', () => Buffer.from(brand('Aurora'))],
    ['was cut off', 'deflate', () => deflateRawSync(brand('Aurora')).subarray(0, -3)],
  ])('that %s (%s) is 400, and says so', async (_why, coding, bytes) => {
    const store = await createTestStore();
    const { status, body } = await send(store, coding, bytes());
    expect([status, body.code]).toEqual([400, 'malformed_body']);
    expect(body.errors.body[0]).toContain(`complete ${coding}`);
  });

  it('that stands for more than the limit is 413, and little of it is read', async () => {
    const store = await createTestStore();
    const fits = await send(store, 'gzip', gzipSync(brand('A') + ' '.repeat(limit - 40)));
    expect(fits.status).toBe(201);
    const { status, body } = await send(store, 'gzip', gzipSync(brand('B') + ' '.repeat(limit)));
    expect([status, body.code]).toEqual([413, 'body_too_large']);
    const { body: stream, counted } = chunked(bomb());
    expect(await readLimitedBody(coded('gzip', stream), limit)).toBeUndefined();
    expect(counted.bytes).toBeLessThan(100_000);
  });

  it('is never decoded far ahead of its reader', async () => {
    const reader = decodeBody(coded('gzip', bomb()), Infinity)!.getReader();
    const sizes = new Set<number>();
    for (let count = 0; count < 20; count += 1) sizes.add((await reader.read()).value!.length);
    await reader.cancel();
    expect(Math.max(...sizes)).toBeLessThanOrEqual(65_536);
  });

  it('that stands for nothing and never ends is read up to the limit only', async () => {
    const emptyBlock = new Uint8Array([0, 0, 0, 0xff, 0xff]);
    const { body, counted } = chunked(deflateSync('').subarray(0, 2), emptyBlock);
    await expect(readLimitedBody(coded('deflate', body), 50_000)).rejects.toMatchObject({
      code: 'body_too_large',
    });
    expect(counted.bytes).toBeLessThan(60_000);
    const zeros = chunked(gzipSync('{}'), new Uint8Array(64));
    await expect(readLimitedBody(coded('gzip', zeros.body), 50_000)).rejects.toMatchObject({
      status: expect.toSatisfy((status: number) => [400, 413].includes(status)),
    });
    expect(zeros.counted.bytes).toBeLessThan(60_000);
  });

  it('is of several parts where gzip is', async () => {
    const store = await createTestStore();
    const text = brand('Aurora');
    const parts = [gzipSync(text.slice(0, 9)), gzipSync(text.slice(9))];
    expect((await send(store, 'gzip', Buffer.concat(parts))).status).toBe(201);
  });

  it('is empty where there is none', async () => {
    for (const body of [null, '', chunked(new Uint8Array()).body]) {
      expect(await readLimitedBody(coded('gzip', body), 10)).toHaveLength(0);
    }
    expect(await readLimitedBody(coded('br', null), 10)).toHaveLength(0);
    const store = await createTestStore();
    const { body } = await store.api('POST /catalog/brands', { name: 'A', active: true });
    for (const operation of ['GET', 'DELETE']) {
      const path = `${operation} /catalog/brands/${body.data.id}`;
      expect((await store.api(path, undefined, { 'Content-Encoding': 'br' })).status).toBe(200);
    }
  });

  it('is the same request for an idempotency key as without it', async () => {
    const store = await createTestStore();
    const key = { 'Idempotency-Key': 'one' };
    const first = await store.api('POST /catalog/brands', { name: 'Aurora', active: true }, key);
    const again = await send(store, 'gzip', gzipSync(brand('Aurora')), key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(again.headers.get('Idempotent-Replayed')).toBe('true');
  });
});

describe('a file of lines with Content-Encoding', () => {
  const gzip = { 'Content-Encoding': 'gzip' };

  it('is stored as what it stands for, and the same file for an idempotency key', async () => {
    const store = await createTestStore();
    const lines = '{"name":"Shirt"}\n\n{"name":"Cup"}\n';
    const key = { 'Idempotency-Key': 'one' };
    const first = await sendImport(store, gzipSync(lines), { ...gzip, ...key });
    const again = await sendImport(store, lines, key);
    expect([first.status, first.body.data.total]).toEqual([202, 2]);
    expect([again.status, again.body]).toEqual([202, first.body]);
    await workOff(store, `/catalog/imports/${first.body.data.id}`);
  });

  it('is 415 for another coding and 400 for bytes that are not of it, and nothing stays', async () => {
    const store = await createTestStore();
    const other = await sendImport(store, '{}', { 'Content-Encoding': 'br' });
    expect([other.status, other.headers.get('Accept-Encoding')]).toEqual([415, 'gzip, deflate']);
    const cut = gzipSync('{"name":"Shirt"}\n'.repeat(9)).subarray(0, -1);
    expect((await sendImport(store, cut, gzip)).status).toBe(400);
    const { objects } = await env.ARCHIVE.list({ prefix: `imports/${store.id}/` });
    expect(objects).toEqual([]);
  });

  it('counts as what it stands for', async () => {
    const { body, counted } = chunked(bomb());
    const most = { bytes: 200_000, lines: 10 };
    await expect(storeUpload(env.ARCHIVE, 'x', coded('gzip', body), most)).rejects.toMatchObject({
      status: 413,
    });
    expect(counted.bytes).toBeLessThan(100_000);
  });
});

describe('another door', () => {
  it('reads a coded form and a coded call of a tool as an operation does', async () => {
    const store = await createTestStore();
    const post = (path: string, type: string, body: string, coding = 'gzip') =>
      app.fetch(
        new Request(`https://api.test${path}`, {
          method: 'POST',
          headers: { ...store.headers, 'Content-Type': type, 'Content-Encoding': coding },
          body: gzipSync(body),
        }),
        env,
        createExecutionContext(),
      );
    const form = 'application/x-www-form-urlencoded';
    const token = await post('/oauth/token', form, 'grant_type=password');
    expect([token.status, (await token.json<{ error: string }>()).error]).toEqual([
      400,
      'unsupported_grant_type',
    ]);
    const unread = await post('/oauth/token', form, 'grant_type=password', 'br');
    expect([unread.status, (await unread.json<{ error: string }>()).error]).toEqual([
      400,
      'invalid_request',
    ]);
    expect(unread.headers.get('Accept-Encoding')).toBe('gzip, deflate');
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' });
    const path = `/mcp?store=${store.alias}`;
    expect((await post(path, 'application/json', call)).status).toBe(200);
    expect((await post(path, 'application/json', call, 'br')).status).toBe(415);
  });
});
