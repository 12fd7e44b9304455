import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedBrand, deliverTo } from '../../support/node/receivers/attempts.ts';
import { createCertificate, type TlsIdentity } from '../../support/node/receivers/certificates.ts';
import { TestServers } from '../../support/node/receivers/servers.ts';
import { buildWorker, type WorkerBuild } from '../../support/node/runtime/bundle.ts';
import { KillableRuntime } from '../../support/node/runtime/killable-runtime.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-network-'));
const servers = new TestServers();
const authority = {
  name: 'An Authority',
  ...createCertificate({ name: 'An Authority', isAuthority: true }),
};
let build: WorkerBuild;
let runtime: KillableRuntime;

beforeAll(async () => {
  build = await buildWorker();
  runtime = new KillableRuntime(build.script);
  const trusted = join(scratch, 'authority.pem');
  writeFileSync(trusted, authority.cert);
  await runtime.start({ trusted });
  await seedBrand(runtime);
});

afterAll(async () => {
  await runtime.end();
  servers.close();
  rmSync(scratch, { recursive: true });
});

describe.concurrent('connections', () => {
  it.each<[string, () => Promise<number>]>([
    ['is refused', () => Promise.resolve(9)],
    ['is reset', () => servers.plain((socket) => socket.resetAndDestroy())],
    [
      'closes in the middle of the response',
      () => servers.plain((socket) => socket.end('HTTP/1.1 200 O')),
    ],
  ])(
    'fault 26: a connection that %s counts as a failed attempt and is retried',
    async (_case, port) => {
      const delivery = await deliverTo(runtime, `http://127.0.0.1:${await port()}/hook`, 2);
      expect(delivery.log.data).toMatchObject([
        { code: null, error: 'connect' },
        { code: null, error: 'connect' },
      ]);
    },
  );
});

describe.concurrent('host names', () => {
  it.each(['https', 'http'])(
    'fault 27: an unknown host (%s) counts as a failed attempt and is retried',
    async (scheme) => {
      const host = `unknown-${scheme}.invalid`;
      const delivery = await deliverTo(runtime, `${scheme}://${host}/hook`, 2);
      // The local runtime only logs the reason, so the error is a failed connection.
      expect(delivery.log.data).toMatchObject([
        { code: null, error: 'connect' },
        { code: null, error: 'connect' },
      ]);
      expect(runtime.errorOutput).toMatch(/failed to lookup address/);
    },
  );

  it('fault 27: a host that the edge cannot resolve (530, 1016) gives the error dns and is retried', async () => {
    const port = await servers.http((_request, response) => {
      response.writeHead(530, { 'Content-Type': 'text/plain', Server: 'cloudflare' });
      response.end('error code: 1016');
    });
    const delivery = await deliverTo(runtime, `http://127.0.0.1:${port}/hook`, 2);
    const failure = { code: 530, error: 'dns', response_body: null, response_headers: null };
    expect(delivery.log.data).toMatchObject([failure, failure]);
  });
});

describe.concurrent('error pages of the edge', () => {
  it.each([
    [520, 'edge_52x'],
    [521, 'edge_52x'],
    [522, 'edge_52x'],
    [523, 'edge_52x'],
    [524, 'edge_52x'],
    [525, 'tls'],
    [526, 'tls'],
    [530, 'edge_52x'],
  ])('fault 29: an error page with status %i is not stored', async (code, error) => {
    const port = await servers.http((_request, response) => {
      response.writeHead(code, { 'Content-Type': 'text/html', Server: 'cloudflare' });
      response.end('<title>an error page of the edge</title>');
    });
    const delivery = await deliverTo(runtime, `http://127.0.0.1:${port}/hook`, 1);
    expect(delivery).toMatchObject({ state: 'cancelled', code, error });
    expect(delivery.log.data[0]).toMatchObject({
      code,
      error,
      response_body: null,
      response_headers: null,
    });
  });
});

/**
 * Starts a TLS receiver; `seen` records the encrypted bytes, and what was readable after a
 * handshake.
 */
async function startTlsReceiver(identity: TlsIdentity) {
  const seen = { encrypted: '', readable: '' };
  const tlsPort = await servers.listen(
    createTlsServer(identity, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', (chunk) => {
        seen.readable += chunk.toString('latin1');
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      });
    }).on('tlsClientError', () => undefined),
  );
  const port = await servers.listen(
    createServer((socket) => {
      socket.on('data', (chunk: Buffer) => {
        seen.encrypted += chunk.toString('latin1');
      });
      const upstream = connect(tlsPort, '127.0.0.1').on('error', () => socket.destroy());
      socket.pipe(upstream).pipe(socket);
    }),
  );
  return { seen, url: `https://localhost:${port}/hook` };
}

describe.concurrent('certificates', () => {
  it('a receiver with a valid certificate gets the delivery, encrypted', async () => {
    const { seen, url } = await startTlsReceiver(
      createCertificate({ name: 'localhost', by: authority }),
    );
    expect(await deliverTo(runtime, url, 1)).toMatchObject({ state: 'delivered', code: 200 });
    expect(seen.readable).toContain('"event":"product.created"');
    expect(seen.encrypted).not.toBe('');
    expect(seen.encrypted).not.toContain('product.created');
  });

  it.each<[string, TlsIdentity, RegExp]>([
    [
      'has expired',
      createCertificate({ name: 'localhost', by: authority, until: -1 }),
      /certificate expired/,
    ],
    [
      'is not valid yet',
      createCertificate({ name: 'localhost', by: authority, from: 1 }),
      /certificate not valid yet/,
    ],
    [
      'is for another name',
      createCertificate({ name: 'another.example', by: authority }),
      /not valid for name/,
    ],
    ['is self-signed', createCertificate({ name: 'localhost' }), /UnknownIssuer/],
  ])(
    'fault 28: a receiver whose certificate %s gets no event, and the delivery is retried',
    async (_case, identity, reason) => {
      const { seen, url } = await startTlsReceiver(identity);
      const delivery = await deliverTo(runtime, url, 2);
      // The local runtime only logs the reason; the edge returns 525 or 526 (fault 29).
      expect(delivery.log.data).toMatchObject([
        { code: null, error: 'connect' },
        { code: null, error: 'connect' },
      ]);
      expect(runtime.errorOutput).toMatch(reason);
      expect(seen.encrypted).not.toBe('');
      expect(seen.encrypted).not.toContain('product.created');
      expect(seen.readable).toBe('');
    },
  );
});
