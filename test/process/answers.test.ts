import { rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { KillableRuntime } from '../support/node/killable-runtime.ts';
import { Memory } from '../support/node/memory.ts';
import { Servers } from '../support/node/servers.ts';
import { ready, tried } from '../support/node/tried.ts';

const mebibyte = 1024 * 1024;
const rounds = 4;
const servers = new Servers();
let built: Bundle;
let runtime: KillableRuntime;

beforeAll(async () => {
  built = bundle();
  runtime = new KillableRuntime(join(built.folder, 'index.js'));
  await runtime.start();
  await ready(runtime);
});

afterAll(async () => {
  await runtime.end();
  servers.close();
  rmSync(built.folder, { recursive: true });
});

/** What its receivers are told of their answers: how much of one left, and whether its connection was ended for it. */
interface Fate {
  bytes: number;
  isEnded: boolean;
}

/** A receiver that answers by `write`; `fates` tells what became of its answers. */
async function answering(write: (response: ServerResponse) => void) {
  const fates: Fate[] = [];
  const port = await servers.http((request, response) => {
    const fate = { bytes: 0, isEnded: false };
    fates.push(fate);
    const { socket } = request;
    const before = socket.bytesWritten;
    response.on('close', () => {
      fate.bytes = socket.bytesWritten - before;
      fate.isEnded = true;
    });
    request.resume().on('end', () => write(response));
  });
  return { url: `http://127.0.0.1:${port}/hook`, fates };
}

/** Writes these pieces as fast as they are taken. */
function pour(
  response: ServerResponse,
  pieces: number,
  piece: Buffer,
  onEnd = () => response.end(),
) {
  let left = pieces;
  const go = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(piece)) return void response.once('drain', go);
    }
    onEnd();
  };
  go();
}

/** 64 MiB of zeros as one deflate block that others may follow: some 64 KiB. */
const zeros = deflateRawSync(Buffer.alloc(64 * mebibyte), { finishFlush: constants.Z_FULL_FLUSH });

/** What a gzip file begins with (RFC 1952). */
const gzipHead = Buffer.from([31, 139, 8, 0, 0, 0, 0, 0, 0, 255]);

/** 4 MiB that inflate to 4 GiB. */
function bomb(response: ServerResponse): void {
  response.writeHead(500, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' });
  response.write(gzipHead);
  pour(response, 64, zeros);
}

function fiftyMegabytes(response: ServerResponse): void {
  response.writeHead(500, { 'Content-Type': 'text/plain' });
  pour(response, 50, Buffer.alloc(mebibyte, 'x'));
}

function drip(response: ServerResponse, status: number): void {
  response.writeHead(status);
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
}

const bodyOf = (bytes: Buffer) => (response: ServerResponse) => {
  response.writeHead(500);
  response.end(bytes);
};

describe('a receiver that answers', () => {
  it('fault 60: with 50 MB or 4 GiB in gzip, eight at once: memory stays flat, 2 KB are kept', async () => {
    await tried(runtime, (await answering(bodyOf(Buffer.from('warm')))).url, 1);
    using memory = new Memory(runtime.pid);
    const startedAt = Date.now();
    for (let round = 0; round < rounds; round += 1) {
      const large = await Promise.all(Array.from({ length: 4 }, () => answering(fiftyMegabytes)));
      const bombs = await Promise.all(Array.from({ length: 4 }, () => answering(bomb)));
      const shown = await Promise.all(
        [...large, ...bombs].map(({ url }) => tried(runtime, url, 1)),
      );
      const texts = shown.map(({ log }) => log.data[0]?.response_body);
      const kept = (text: string) => ({
        text: text.repeat(2_048),
        encoding: 'utf-8',
        truncated: true,
      });
      expect(texts).toEqual([...Array(4).fill(kept('x')), ...Array(4).fill(kept('\0'))]);
      const ended = () => [...large, ...bombs].every(({ fates }) => fates[0]?.isEnded);
      await expect.poll(ended).toBe(true);
      // Far from all of it has left: what has is in the buffers of the sockets.
      for (const { fates } of large) expect(fates[0]?.bytes).toBeLessThan(25 * mebibyte);
    }
    const took = Date.now() - startedAt;
    const [before, peak] = [memory.before.toFixed(), memory.peak.toFixed()];
    console.log(`resident ${before} MiB before, ${peak} MiB at most, ${took} ms`);
    expect(memory.peak - memory.before).toBeLessThan(100);
    expect(took).toBeLessThan(rounds * 10_000);
  });

  it.each([200, 500])(
    'fault 60: %i and then drips for ever: cut off at its timeout',
    async (status) => {
      const { url, fates } = await answering((response) => drip(response, status));
      const startedAt = Date.now();
      const { state, code, log } = await tried(runtime, url, 1);
      // Five seconds, and one until the results are written.
      expect(Date.now() - startedAt).toBeLessThan(9_000);
      await expect.poll(() => fates[0]?.isEnded).toBe(true);
      expect(fates[0]?.bytes).toBeLessThan(10_000);
      if (status === 200) expect([state, code]).toEqual(['delivered', 200]);
      else expect(log.data[0]?.response_body).toMatchObject({ encoding: 'utf-8', truncated: true });
    },
  );

  it('fault 60: with a head that never ends: no answer, cut off at its timeout', async () => {
    const port = await servers.plain((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-More: and more\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const { log } = await tried(runtime, `http://127.0.0.1:${port}/hook`, 1);
    expect(log.data[0]).toMatchObject({ code: null, error: 'timeout' });
    expect(log.data[0]?.duration_ms).toBeLessThan(6_000);
  });

  it.each<[string, Buffer, string, string]>([
    ['bytes that are no UTF-8', Buffer.from('c328ff00a0', 'hex'), 'wyj/AKA=', 'base64'],
    ['nothing at all', Buffer.alloc(0), '', 'utf-8'],
    ['a zero byte', Buffer.alloc(1), '\0', 'utf-8'],
  ])('fault 60: with %s: kept as it is', async (_what, bytes, text, encoding) => {
    const { log } = await tried(runtime, (await answering(bodyOf(bytes))).url, 1);
    expect(log.data[0]?.response_body).toEqual({ text, encoding, truncated: false });
  });

  it('fault 60: with a gzip that is none: the status counts', async () => {
    const { url } = await answering((response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end('not gzip at all');
    });
    expect(await tried(runtime, url, 1)).toMatchObject({ state: 'delivered', code: 200 });
  });
});
