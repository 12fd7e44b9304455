import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FakeCloudflare } from './fake-cloudflare.ts';

/** Where the service answers, below the address of the account: `/at/{host}/{path}`. */
const servicePath = '/at/';

async function readRequest(incoming: IncomingMessage, origin: string): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const { method = 'GET', url = '/', headers } = incoming;
  const body = Buffer.concat(chunks);
  const address = url.startsWith(servicePath)
    ? `https://${url.slice(servicePath.length)}`
    : `${origin}${url}`;
  return new Request(address, {
    method,
    headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
    ...(body.length > 0 && { body }),
  });
}

async function write(response: Response, outgoing: ServerResponse) {
  outgoing.writeHead(response.status, [...response.headers].flat());
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

/**
 * A fake account behind HTTP, for the real wrangler and a deployment in a process of its own. What
 * is for another host than that of the account and the service goes to `others`.
 */
export async function serveAccount(
  cloudflare: FakeCloudflare,
  others: Readonly<Record<string, (request: Request) => Promise<Response>>> = {},
) {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      const request = await readRequest(incoming, cloudflare.origin);
      const answerOf = others[new URL(request.url).host] ?? cloudflare.fetch;
      await write(await answerOf(request), outgoing);
    } catch {
      // The caller loses its connection, as in a fault of the network.
      outgoing.destroy();
    }
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cloudflare.origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Asks the network, also where `fetch` of the process is another one. */
const askNetwork = globalThis.fetch;

/**
 * A `fetch` that asks the account at `origin` for what the service, or the bucket of copies, would
 * answer at its host.
 */
export const fetchAt =
  (origin: string): typeof fetch =>
  async (input, init) => {
    const request = new Request(input, init);
    const { protocol, host, pathname, search } = new URL(request.url);
    return protocol === 'https:'
      ? askNetwork(new Request(`${origin}${servicePath}${host}${pathname}${search}`, request))
      : askNetwork(request);
  };
