import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
/**
 * A typical sender on BullMQ: an HTTP server that writes the change and adds one job per subscribed
 * endpoint, two worker processes, and Redis. `variant` is the persistence mode of Redis.
 */
import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { benchEndpoints, readSetup } from '../setup.ts';
import { redisConnection, openBullmqDatabase, queueName, startRedis } from './bullmq-setup.ts';
import { createMessages, subscribedSql } from './plain-send.ts';

const workers = 2;
const jobOptions = {
  attempts: 15,
  backoff: { type: 'exponential', delay: 5_000 },
  removeOnComplete: true,
};

const setup = readSetup();
const port = await startRedis(setup);
const db = openBullmqDatabase(setup);
if (setup.isFirst) seed();
const queue = new Queue(queueName, { connection: new Redis(redisConnection(port)) });
await queue.waitUntilReady();
await Promise.all(
  Array.from({ length: workers }, async () => {
    const argument = [process.argv[2] ?? '', `${port}`];
    await once(fork('test/bench/delivery/contenders/bullmq-worker.ts', argument), 'message');
  }),
);
const change = db.prepare('insert into bench_changes (n) values (?)');
const subscribed = db.prepare(subscribedSql);

/**
 * Writes the change, then its jobs. They are in two databases, so there is no common transaction.
 */
async function publish(event: string, resource: { n: number }): Promise<void> {
  const at = Date.now();
  change.run(resource.n);
  const endpoints = subscribed.all(event) as unknown as { id: number; url: string }[];
  const messages = createMessages(event, resource, endpoints, at);
  await queue.addBulk(messages.map((data) => ({ name: 'deliver', data, opts: jobOptions })));
}

const server = createServer((request, response) => {
  const respond = (status: number) => response.writeHead(status).end('{}');
  if (request.method === 'GET') {
    respond(200);
    return;
  }
  json(request)
    .then((resource) => publish((request.url ?? '').slice(1), resource as { n: number }))
    .then(
      () => respond(201),
      () => respond(500),
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
