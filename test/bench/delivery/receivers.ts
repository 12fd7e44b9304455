/**
 * Receivers in a process of their own. `/delay/<ms>/<n>` answers after so long, `/hung/<n>` never. `GET /seen` tells
 * what came since the last `DELETE`: how many to `/delay`, how many of them twice, and how late each was.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const seen = new Map<string, number>();
let repeated = 0;

const server = createServer((request, response) => {
  const [, kind, delay] = (request.url ?? '').split('/');
  if (request.method === 'GET') {
    response.end(JSON.stringify({ count: seen.size, repeated, waits: [...seen.values()] }));
    return;
  }
  if (request.method === 'DELETE') {
    seen.clear();
    repeated = 0;
    response.end();
    return;
  }
  request.resume();
  request.on('end', () => {
    if (kind === 'hung') return;
    const key = `${request.url} ${String(request.headers['webhook-id'])}`;
    const wait = Date.now() - Date.parse(String(request.headers['x-service-triggered-at']));
    if (seen.has(key)) repeated += 1;
    else seen.set(key, wait);
    setTimeout(() => response.end(), Number(delay));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready ${(server.address() as AddressInfo).port}`);
});
