/**
 * Webhook receivers in a separate process. `/delay/<ms>/<n>` responds after a delay, `/hung/<n>`
 * never. Receipts at `/delay` are recorded until the next `DELETE`: `GET /counts` returns
 * `ReceiptCounts`, `GET /receipts` returns `Receipts`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receipts, ReceiptCounts } from './receipts.ts';

const receipts = new Map<string, { latency: number; pair: string }>();
let repeated = 0;
let lastAt = 0;

const reports: Record<string, () => ReceiptCounts | Receipts> = {
  '/counts': () => ({ count: receipts.size, repeated, lastAt }),
  '/receipts': () => ({
    latencies: Array.from(receipts.values(), ({ latency }) => latency),
    pairs: Array.from(receipts.values(), ({ pair }) => pair),
  }),
};

const server = createServer((request, response) => {
  const { url = '', method, headers } = request;
  if (method === 'GET') {
    response.end(JSON.stringify(reports[url]?.()));
    return;
  }
  if (method === 'DELETE') {
    receipts.clear();
    repeated = 0;
    response.end();
    return;
  }
  const [, kind, delay, receiver] = url.split('/');
  let body = '';
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString();
  });
  request.on('end', () => {
    if (kind === 'hung') return;
    const now = Date.now();
    const key = `${url} ${String(headers['webhook-id'])}`;
    if (receipts.has(key)) repeated += 1;
    else {
      const { resource } = JSON.parse(body) as { resource: { n: number } };
      const latency = now - Date.parse(String(headers['x-service-triggered-at']));
      receipts.set(key, { latency, pair: `${resource.n} ${receiver}` });
      lastAt = now;
    }
    setTimeout(() => response.end(), Number(delay));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
