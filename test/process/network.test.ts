import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { identity, type Identity } from '../support/node/certificates.ts';
import { KillableRuntime } from '../support/node/killable-runtime.ts';
import { Servers } from '../support/node/servers.ts';
import { ready, tried } from '../support/node/tried.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-network-'));
const servers = new Servers();
const authority = {
  name: 'An Authority',
  ...identity({ name: 'An Authority', isAuthority: true }),
};
let built: Bundle;
let runtime: KillableRuntime;

beforeAll(async () => {
  built = bundle();
  runtime = new KillableRuntime(join(built.folder, 'index.js'));
  const trusted = join(scratch, 'authority.pem');
  writeFileSync(trusted, authority.cert);
  await runtime.start({ trusted });
  await ready(runtime);
});

afterAll(async () => {
  await runtime.end();
  servers.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe.concurrent('a connection', () => {
  it.each<[string, () => Promise<number>]>([
    ['is refused', () => Promise.resolve(9)],
    ['is reset', () => servers.plain((socket) => socket.resetAndDestroy())],
    [
      'is cut in the middle of the answer',
      () => servers.plain((socket) => socket.end('HTTP/1.1 200 O')),
    ],
  ])('fault 26: that %s is a failure, and tried again', async (_how, port) => {
    const delivery = await tried(runtime, `http://127.0.0.1:${await port()}/hook`, 2);
    expect(delivery.log.data).toMatchObject([
      { code: null, error: 'connect' },
      { code: null, error: 'connect' },
    ]);
  });
});

describe.concurrent('a name', () => {
  it.each(['https', 'http'])(
    'fault 27: that nobody knows (%s) is a failure, and tried again',
    async (scheme) => {
      const host = `nobody-${scheme}.invalid`;
      const delivery = await tried(runtime, `${scheme}://${host}/hook`, 2);
      // The local runtime keeps the reason for its own log, so that it counts as a connection that failed.
      expect(delivery.log.data).toMatchObject([
        { code: null, error: 'connect' },
        { code: null, error: 'connect' },
      ]);
      expect(runtime.said).toMatch(/failed to lookup address/);
    },
  );

  it('fault 27: that the edge does not find (530, 1016) is dns, and tried again', async () => {
    const port = await servers.http((_request, response) => {
      response.writeHead(530, { 'Content-Type': 'text/plain', Server: 'cloudflare' });
      response.end('error code: 1016');
    });
    const delivery = await tried(runtime, `http://127.0.0.1:${port}/hook`, 2);
    const failure = { code: 530, error: 'dns', response_body: null, response_headers: null };
    expect(delivery.log.data).toMatchObject([failure, failure]);
  });
});

describe.concurrent('an edge', () => {
  it.each([
    [520, 'edge_52x'],
    [521, 'edge_52x'],
    [522, 'edge_52x'],
    [523, 'edge_52x'],
    [524, 'edge_52x'],
    [525, 'tls'],
    [526, 'tls'],
    [530, 'edge_52x'],
  ])(
    'fault 29: that answers %i has words of its own, of which none is kept',
    async (code, error) => {
      const port = await servers.http((_request, response) => {
        response.writeHead(code, { 'Content-Type': 'text/html', Server: 'cloudflare' });
        response.end('<title>the words of the edge</title>');
      });
      const delivery = await tried(runtime, `http://127.0.0.1:${port}/hook`, 1);
      expect(delivery).toMatchObject({ state: 'cancelled', code, error });
      expect(delivery.log.data[0]).toMatchObject({
        code,
        error,
        response_body: null,
        response_headers: null,
      });
    },
  );
});

/** A receiver behind TLS, and what came to it: as it was sent, and what could be read after a handshake. */
async function secured(identified: Identity) {
  const seen = { sent: '', read: '' };
  const behind = await servers.listen(
    createTlsServer(identified, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        seen.read += chunk.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    }).on('tlsClientError', () => undefined),
  );
  const port = await servers.listen(
    createServer((socket) => {
      socket.on('data', (chunk: Buffer) => {
        seen.sent += chunk.toString('latin1');
      });
      const onward = connect(behind, '127.0.0.1').on('error', () => socket.destroy());
      socket.pipe(onward).pipe(socket);
    }),
  );
  return { seen, url: `https://localhost:${port}/hook` };
}

describe.concurrent('a certificate', () => {
  it('that is good is trusted, and what is sent is not in clear', async () => {
    const { seen, url } = await secured(identity({ name: 'localhost', by: authority }));
    expect(await tried(runtime, url, 1)).toMatchObject({ state: 'delivered', code: 200 });
    expect(seen.read).toContain('"event":"product.created"');
    expect(seen.sent).not.toBe('');
    expect(seen.sent).not.toContain('product.created');
  });

  it.each<[string, Identity, RegExp]>([
    [
      'has expired',
      identity({ name: 'localhost', by: authority, until: -1 }),
      /certificate expired/,
    ],
    [
      'is not valid yet',
      identity({ name: 'localhost', by: authority, from: 1 }),
      /certificate not valid yet/,
    ],
    [
      'is for another name',
      identity({ name: 'another.example', by: authority }),
      /not valid for name/,
    ],
    ['signs itself', identity({ name: 'localhost' }), /UnknownIssuer/],
  ])(
    'fault 28: that %s gets no event, neither sealed nor in clear, and is tried again',
    async (_which, identified, reason) => {
      const { seen, url } = await secured(identified);
      const delivery = await tried(runtime, url, 2);
      // Locally the reason is for the runtime's own log alone; an edge answers 525 or 526 (fault 29).
      expect(delivery.log.data).toMatchObject([
        { code: null, error: 'connect' },
        { code: null, error: 'connect' },
      ]);
      expect(runtime.said).toMatch(reason);
      expect(seen.sent).not.toBe('');
      expect(seen.sent).not.toContain('product.created');
      expect(seen.read).toBe('');
    },
  );
});
