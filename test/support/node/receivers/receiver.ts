import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface DeliveryRequest {
  headers: Record<string, string>;
  /** The raw bytes. */
  body: Buffer;
}

export interface WebhookReceiver {
  url: string;
  received: DeliveryRequest[];
  server: Server;
}

/**
 * Starts a webhook receiver that stores its requests and returns `status(n)` for the n-th one. Port
 * 0 is any free port.
 */
export async function startReceiver(
  status: (n: number) => number = () => 200,
  port = 0,
): Promise<WebhookReceiver> {
  const received: DeliveryRequest[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      // No delivery repeats a header, so every value is a string.
      const headers = request.headers as Record<string, string>;
      received.push({ headers, body: Buffer.concat(chunks) });
      response.statusCode = status(received.length);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${address.port}/hook`, received, server };
}
