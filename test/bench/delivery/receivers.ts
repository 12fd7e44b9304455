/**
 * Receivers in a process of their own. `/delay/<ms>/<n>` answers after so long, `/hung/<n>` never. They tell what came
 * to `/delay` since the last `DELETE`: `GET /seen` how many, how many of them twice and when the last new one did,
 * `GET /receipts` how late each was and which event at which receiver.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receipts, Seen } from './seen.ts';

const receipts = new Map<string, { wait: number; pair: string }>();
let repeated = 0;
let lastAt = 0;

const answers: Record<string, () => Seen | Receipts> = {
  '/seen': () => ({ count: receipts.size, repeated, lastAt }),
  '/receipts': () => ({
    waits: Array.from(receipts.values(), ({ wait }) => wait),
    pairs: Array.from(receipts.values(), ({ pair }) => pair),
  }),
};

const server = createServer((request, response) => {
  const { url = '', method, headers } = request;
  if (method === 'GET') {
    response.end(JSON.stringify(answers[url]?.()));
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
      const wait = now - Date.parse(String(headers['x-service-triggered-at']));
      receipts.set(key, { wait, pair: `${resource.n} ${receiver}` });
      lastAt = now;
    }
    setTimeout(() => response.end(), Number(delay));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
