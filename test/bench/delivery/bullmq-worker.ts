/** One worker process of the BullMQ contender: signs, sends, writes a line of its log, leaves retries to the queue. */
import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { connectionTo, openDatabase, queueName } from './bullmq-parts.ts';
import { send, type Message } from './plain-send.ts';
import { setupOfProcess } from './setup.ts';

const setup = setupOfProcess();
const db = openDatabase(setup);
const log = db.prepare('insert into bench_log (endpoint, event, status) values (?, ?, ?)');

const worker = new Worker<Message>(
  queueName,
  async ({ data }) => {
    const signature = createHmac('sha256', data.secret).update(data.body).digest('base64');
    const status = await send(data, signature);
    log.run(data.endpoint, data.id, status);
    if (status < 200 || status >= 300) throw new Error(`answered ${status}`);
  },
  {
    connection: new Redis(connectionTo(Number(process.argv[3]))),
    concurrency: 10,
    ...(setup.isKilled && { lockDuration: 2_000, stalledInterval: 1_000 }),
  },
);
// Without a listener a lost connection would end the process.
worker.on('error', () => undefined);
await worker.waitUntilReady();
process.send?.('ready');
