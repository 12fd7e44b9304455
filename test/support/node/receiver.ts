import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  headers: Record<string, string>;
  /** The bytes as they came. */
  body: Buffer;
}

export interface Receiver {
  url: string;
  received: Received[];
  server: Server;
}

/** A webhook receiver that keeps what it gets and answers `status(n)` to the n-th request. */
export async function receiver(status: (n: number) => number = () => 200): Promise<Receiver> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // Names repeat in no delivery, so every value is one string.
      const headers = request.headers as Record<string, string>;
      received.push({ headers, body: Buffer.concat(chunks) });
      response.statusCode = status(received.length);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, received, server };
}
