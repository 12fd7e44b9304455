import type { ServerResponse } from 'node:http';
import { constants, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedBrand, deliverTo } from '../../support/node/receivers/attempts.ts';
import { TestServers } from '../../support/node/receivers/servers.ts';
import { buildWorker, type WorkerBuild } from '../../support/node/runtime/bundle.ts';
import { KillableRuntime } from '../../support/node/runtime/killable-runtime.ts';
import { MemoryMonitor } from '../../support/node/runtime/memory.ts';
import { patience } from '../../support/patience.ts';

const mebibyte = 1024 * 1024;
const rounds = 4;
const servers = new TestServers();
let build: WorkerBuild;
let runtime: KillableRuntime;

beforeAll(async () => {
  build = await buildWorker();
  runtime = new KillableRuntime(build.script);
  await runtime.start();
  await seedBrand(runtime);
});

afterAll(async () => {
  await runtime.end();
  servers.close();
});

/** How one response of a receiver ended. */
interface ResponseFate {
  /** Bytes that left the receiver. */
  bytes: number;
  isClosed: boolean;
}

/** Starts a receiver that responds with `write`; `fates` records how its responses ended. */
async function startResponder(write: (response: ServerResponse) => void) {
  const fates: ResponseFate[] = [];
  const port = await servers.http((request, response) => {
    const fate = { bytes: 0, isClosed: false };
    fates.push(fate);
    const { socket } = request;
    const before = socket.bytesWritten;
    response.on('close', () => {
      fate.bytes = socket.bytesWritten - before;
      fate.isClosed = true;
    });
    request.resume().on('end', () => write(response));
  });
  return { url: `http://127.0.0.1:${port}/hook`, fates };
}

/** Writes a chunk `count` times, as fast as the client reads. */
function writeChunks(
  response: ServerResponse,
  count: number,
  chunk: Buffer,
  onEnd = () => response.end(),
) {
  let left = count;
  const writeMore = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1;
      if (!response.write(chunk)) return void response.once('drain', writeMore);
    }
    onEnd();
  };
  writeMore();
}

/** 64 MiB of zeros, deflated to some 64 KiB without ending the stream. */
const deflatedZeros = deflateRawSync(Buffer.alloc(64 * mebibyte), {
  finishFlush: constants.Z_FULL_FLUSH,
});

/** The header of a gzip file (RFC 1952). */
const gzipHeader = Buffer.from([31, 139, 8, 0, 0, 0, 0, 0, 0, 255]);

/** Sends 4 MiB that inflate to 4 GiB. */
function sendGzipBomb(response: ServerResponse): void {
  response.writeHead(500, { 'Content-Type': 'text/plain', 'Content-Encoding': 'gzip' });
  response.write(gzipHeader);
  writeChunks(response, 64, deflatedZeros);
}

function sendFiftyMegabytes(response: ServerResponse): void {
  response.writeHead(500, { 'Content-Type': 'text/plain' });
  writeChunks(response, 50, Buffer.alloc(mebibyte, 'x'));
}

/** Sends a byte every 20 ms, without end. */
function drip(response: ServerResponse, status: number): void {
  response.writeHead(status);
  const timer = setInterval(() => response.write('.'), 20);
  response.on('close', () => clearInterval(timer));
}

const sendBody = (bytes: Buffer) => (response: ServerResponse) => {
  response.writeHead(500);
  response.end(bytes);
};

describe('responses of a receiver', () => {
  it('fault 60: eight responses of 50 MB or 4 GiB in gzip at once keep memory flat and are cut to 2 KB', async () => {
    await deliverTo(runtime, (await startResponder(sendBody(Buffer.from('warm')))).url, 1);
    using memory = new MemoryMonitor(runtime.pid);
    for (let round = 0; round < rounds; round += 1) {
      const large = await Promise.all(
        Array.from({ length: 4 }, () => startResponder(sendFiftyMegabytes)),
      );
      const bombs = await Promise.all(
        Array.from({ length: 4 }, () => startResponder(sendGzipBomb)),
      );
      const deliveries = await Promise.all(
        [...large, ...bombs].map(({ url }) => deliverTo(runtime, url, 1)),
      );
      // The size ends the response, not the timeout.
      expect(new Set(deliveries.map(({ error }) => error))).toEqual(new Set(['http_5xx']));
      const bodies = deliveries.map(({ log }) => log.data[0]?.response_body);
      const truncated = (text: string) => ({
        text: text.repeat(2_048),
        encoding: 'utf-8',
        truncated: true,
      });
      expect(bodies).toEqual([...Array(4).fill(truncated('x')), ...Array(4).fill(truncated('\0'))]);
      const haveClosed = () => [...large, ...bombs].every(({ fates }) => fates[0]?.isClosed);
      await expect.poll(haveClosed, patience).toBe(true);
      // The bytes that left went into socket buffers.
      for (const { fates } of large) expect(fates[0]?.bytes).toBeLessThan(25 * mebibyte);
    }
    const [before, peak] = [memory.before.toFixed(), memory.peak.toFixed()];
    console.log(`resident ${before} MiB before, ${peak} MiB at most`);
    expect(memory.peak - memory.before).toBeLessThan(100);
  });

  it.each([200, 500])(
    'fault 60: an endless slow response with status %i is cut off at the timeout',
    async (status) => {
      const { url, fates } = await startResponder((response) => drip(response, status));
      // The response never ends by itself, so only the timeout can lead to a result.
      const { state, code, log } = await deliverTo(runtime, url, 1);
      await expect.poll(() => fates[0]?.isClosed, patience).toBe(true);
      expect(fates[0]?.bytes).toBeLessThan(10_000);
      if (status === 200) expect([state, code]).toEqual(['delivered', 200]);
      else expect(log.data[0]?.response_body).toMatchObject({ encoding: 'utf-8', truncated: true });
    },
  );

  it('fault 60: endless response headers count as no response and are cut off at the timeout', async () => {
    const port = await servers.plain((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-More: and more\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    const { log } = await deliverTo(runtime, `http://127.0.0.1:${port}/hook`, 1);
    expect(log.data[0]).toMatchObject({ code: null, error: 'timeout' });
  });

  it.each<[string, Buffer, string, string]>([
    ['bytes that are not UTF-8', Buffer.from('c328ff00a0', 'hex'), 'wyj/AKA=', 'base64'],
    ['an empty body', Buffer.alloc(0), '', 'utf-8'],
    ['a zero byte', Buffer.alloc(1), '\0', 'utf-8'],
  ])('fault 60: a response with %s is stored unchanged', async (_case, bytes, text, encoding) => {
    const { log } = await deliverTo(runtime, (await startResponder(sendBody(bytes))).url, 1);
    expect(log.data[0]?.response_body).toEqual({ text, encoding, truncated: false });
  });

  it('fault 60: a response with invalid gzip counts by its status', async () => {
    const { url } = await startResponder((response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' });
      response.end('not gzip at all');
    });
    expect(await deliverTo(runtime, url, 1)).toMatchObject({ state: 'delivered', code: 200 });
  });
});
