import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { KillableRuntime } from '../support/node/killable-runtime.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-network-'));
const servers: Server[] = [];
let built: Bundle;
let runtime: KillableRuntime;
/** What a receiver read after the handshake. */
let readInside = 0;

async function listening(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const plain = (answer: (socket: Socket) => void) =>
  listening(
    createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => answer(socket));
    }),
  );

/** A receiver whose certificate is of its own making, for another name. */
function untrusted(): Promise<number> {
  const [key, cert] = [join(scratch, 'key.pem'), join(scratch, 'cert.pem')];
  const subject = ['-subj', '/CN=another.example', '-days', '1'];
  const files = ['-keyout', key, '-out', cert];
  const kind = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes'];
  execFileSync('openssl', [...kind, ...files, ...subject], { stdio: 'ignore' });
  const options = { key: readFileSync(key), cert: readFileSync(cert) };
  const server = createTlsServer(options, (socket) => {
    socket.on('data', (chunk) => {
      readInside += chunk.length;
    });
  });
  server.on('tlsClientError', () => undefined);
  return listening(server);
}

interface Delivery {
  state: string;
  attempts: number;
  log: { data: { code: number | null; error: string | null }[] };
}

/** The first delivery of a new webhook, once it was tried twice. */
async function triedTwice(url: string): Promise<Delivery> {
  const webhook = { url, name: 'network', events: ['product.created'] };
  const { id } = await runtime.call('POST', '/webhooks', webhook);
  const product = { name: url, simple: true, active: true, brand_id: 1 };
  await runtime.call('POST', '/catalog/products', product);
  const shown = () => runtime.call<Delivery>('GET', `/webhooks/${id}/deliveries/1`);
  await expect.poll(async () => (await shown()).attempts, { timeout: 20_000 }).toBe(2);
  await runtime.call('DELETE', `/webhooks/${id}`);
  return shown();
}

beforeAll(async () => {
  built = bundle();
  runtime = new KillableRuntime(join(built.folder, 'index.js'));
  await runtime.start();
  await runtime.call('POST', '/catalog/brands', { name: 'Marca', active: true });
});

afterAll(async () => {
  await runtime.end();
  for (const server of servers) server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('a connection', () => {
  it.each<[string, () => Promise<number>]>([
    ['is refused', () => Promise.resolve(9)],
    ['is reset', () => plain((socket) => socket.resetAndDestroy())],
    ['is cut in the middle of the answer', () => plain((socket) => socket.end('HTTP/1.1 200 O'))],
  ])('fault 26: that %s is a failure, and tried again', async (_how, port) => {
    const delivery = await triedTwice(`http://127.0.0.1:${await port()}/hook`);
    expect(delivery.log.data).toMatchObject([
      { code: null, error: 'connect' },
      { code: null, error: 'connect' },
    ]);
  });

  it('fault 28: with a certificate that is not to be trusted carries nothing, and is tried again', async () => {
    const delivery = await triedTwice(`https://localhost:${await untrusted()}/hook`);
    expect(delivery.log.data.map(({ code }) => code)).toEqual([null, null]);
    expect(readInside).toBe(0);
  });
});
