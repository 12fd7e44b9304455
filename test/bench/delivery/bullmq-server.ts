/**
 * A sender on BullMQ as it is commonly written: an HTTP server that writes the change and adds one job per subscribed
 * endpoint, two worker processes, and Redis; `variant` says how Redis persists.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { connectionTo, openDatabase, queueName } from './bullmq-parts.ts';
import { startRedis } from './bullmq-redis.ts';
import { messagesOf, subscribedSql } from './plain-send.ts';
import { benchEndpoints, setupOfProcess } from './setup.ts';

const workers = 2;
const jobOptions = {
  attempts: 15,
  backoff: { type: 'exponential', delay: 5_000 },
  removeOnComplete: true,
};

const setup = setupOfProcess();
const port = await startRedis(setup);
const db = openDatabase(setup);
if (setup.isFirst) seed();
const queue = new Queue(queueName, { connection: new Redis(connectionTo(port)) });
await queue.waitUntilReady();
await Promise.all(
  Array.from({ length: workers }, async () => {
    const argument = [process.argv[2] ?? '', `${port}`];
    await once(fork('test/bench/delivery/bullmq-worker.ts', argument), 'message');
  }),
);
const change = db.prepare('insert into bench_changes (n) values (?)');
const subscribed = db.prepare(subscribedSql);

/** Resolves when the change and its jobs are written, in this order, and not in one transaction: it is two stores. */
async function publish(event: string, resource: { n: number }): Promise<void> {
  const at = Date.now();
  change.run(resource.n);
  const endpoints = subscribed.all(event) as unknown as { id: number; url: string }[];
  const messages = messagesOf(event, resource, endpoints, at);
  await queue.addBulk(messages.map((data) => ({ name: 'deliver', data, opts: jobOptions })));
}

const server = createServer((request, response) => {
  const answer = (status: number) => response.writeHead(status).end('{}');
  if (request.method === 'GET') {
    answer(200);
    return;
  }
  json(request)
    .then((resource) => publish((request.url ?? '').slice(1), resource as { n: number }))
    .then(
      () => answer(201),
      () => answer(500),
    );
});
server.listen(0, '127.0.0.1', () => {
  console.log(`ready http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});

function seed(): void {
  db.exec(`create table bench_changes (n integer);
    create table bench_log (endpoint integer, event text, status integer);
    create table webhook_endpoints (id integer primary key, url text);
    create table webhook_subscriptions (store_id integer, event text, endpoint_id integer,
      primary key (store_id, event, endpoint_id)) without rowid;
    begin`);
  const endpoint = db.prepare('insert into webhook_endpoints values (?, ?)');
  const subscription = db.prepare('insert into webhook_subscriptions values (1, ?, ?)');
  for (const { id, url, event } of benchEndpoints(setup)) {
    endpoint.run(id, url);
    subscription.run(event, id);
  }
  db.exec('commit');
}
