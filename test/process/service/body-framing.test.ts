import { connect } from 'node:net';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, expect, it } from 'vitest';

/** Tells the header, and how many bytes the body had (`readLimitedBody` relies on it). */
const contents = `export default {
  async fetch(request) {
    const length = request.headers.get('Content-Length');
    const read = await request.arrayBuffer().then(({ byteLength }) => byteLength, () => 'lost');
    return Response.json([length, read]);
  },
};`;

const runtime = new Miniflare(
  convertV4MiniflareOptions({
    host: '127.0.0.1',
    port: 0,
    workers: [
      {
        name: 'framing',
        compatibilityDate: '2026-10-23',
        modules: [{ type: 'ESModule', path: 'framing.js', contents }],
      },
    ],
  }),
);

afterAll(() => runtime.dispose());

/** Sends a request as it is, ends the connection, and returns all that came back. */
async function send(headers: string, body: string): Promise<string> {
  const { port, hostname } = await runtime.ready;
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  socket.end(`POST / HTTP/1.1\r\nHost: ${hostname}\r\n${headers}\r\n\r\n${body}`);
  return (await socket.setEncoding('utf8').toArray()).join('');
}

it('the runtime reads no more of a body than its Content-Length, and refuses a length that is none', async () => {
  expect(await send('Content-Length: 5', 'a'.repeat(100))).toContain('["5",5]');
  expect(await send('Content-Length: 50', 'a'.repeat(10))).toContain('["50","lost"]');
  const chunked = 'Transfer-Encoding: chunked';
  const chunks = `10\r\n${'a'.repeat(16)}\r\n0\r\n\r\n`;
  expect(await send(chunked, chunks)).toContain('[null,16]');
  expect(await send(`Content-Length: 5\r\n${chunked}`, chunks)).toContain('[null,16]');
  for (const headers of ['Content-Length: 5\r\nContent-Length: 9', 'Content-Length: -5']) {
    expect(await send(headers, 'a'.repeat(9))).toMatch(/^HTTP\/1.1 400 /);
  }
});
