import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/**
 * Where a connection is cut:
 * - `before`: the service never gets the request
 * - `sent`: the service has the request, and its connection is cut, too
 * - `answered`: the service has answered, and nothing of it arrives
 * - `headers`, `half`: the head of the answer arrives, or half of its body
 * - `silent`: nothing is cut; no answer comes
 */
export const cutPoints = ['before', 'sent', 'answered', 'headers', 'half', 'silent'] as const;
type CutPoint = (typeof cutPoints)[number];

/** Says for a request where its connection is cut; `undefined` lets it through. */
type Plan = (request: {
  method: string;
  path: string;
  count: number;
}) => CutPoint | undefined | Promise<CutPoint | undefined>;

/** A proxy before a service that cuts connections. */
export interface CuttingProxy {
  /** Its address, without a slash at the end. */
  origin: string;
  /** Called when a request gets no answer. */
  onSilent: () => void;
  /** Replaces the plan, and counts requests anew. */
  follow: (plan: Plan) => void;
  /** The requests since then, such as `POST /v2/demo/catalog/brands`, with their headers. */
  requests: { line: string; headers: IncomingMessage['headers']; body: string }[];
  close: () => Promise<void>;
}

/** Starts a proxy in front of a service. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  let plan: Plan = () => undefined;
  const requests: CuttingProxy['requests'] = [];
  const server = createServer((incoming, outgoing) => {
    void pass(incoming, outgoing).catch(() => outgoing.destroy());
  });

  async function pass(incoming: IncomingMessage, outgoing: ServerResponse) {
    const { method = 'GET', url: path = '/', headers } = incoming;
    const body = await buffer(incoming);
    requests.push({ line: `${method} ${path}`, headers, body: body.toString() });
    const point = await plan({ method, path, count: requests.length });
    if (point === 'before') return void outgoing.destroy();
    if (point === 'silent') return proxy.onSilent();
    const upstream = request(target + path, { method, headers, agent: false });
    upstream.end(body);
    if (point === 'sent') {
      upstream.on('error', () => undefined);
      await once(upstream, 'finish');
      // The bytes have left; the service begins its work.
      await new Promise((resolve) => void setTimeout(resolve, 2));
      upstream.destroy();
      return void outgoing.destroy();
    }
    const [response] = (await once(upstream, 'response')) as [IncomingMessage];
    const answer = await buffer(response);
    if (point === 'answered') return void outgoing.destroy();
    const { 'transfer-encoding': _, ...answerHeaders } = response.headers;
    outgoing.writeHead(response.statusCode ?? 500, {
      ...answerHeaders,
      'content-length': answer.length,
    });
    if (point === undefined) return void outgoing.end(answer);
    outgoing.flushHeaders();
    if (point === 'half') outgoing.write(answer.subarray(0, Math.ceil(answer.length / 2)));
    setTimeout(() => outgoing.destroy(), 5);
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CuttingProxy = {
    onSilent: () => undefined,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    follow: (next) => {
      plan = next;
      requests.length = 0;
    },
    requests,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
}
