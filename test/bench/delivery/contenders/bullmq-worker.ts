/**
 * A worker process of the BullMQ contender: it signs, sends and logs deliveries. The queue retries.
 */
import { createHmac } from 'node:crypto';
import { Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { readSetup } from '../setup.ts';
import { redisConnection, openBullmqDatabase, queueName } from './bullmq-setup.ts';
import { sendPlain, type PlainMessage } from './plain-send.ts';

const setup = readSetup();
const db = openBullmqDatabase(setup);
const log = db.prepare('insert into bench_log (endpoint, event, status) values (?, ?, ?)');

const worker = new Worker<PlainMessage>(
  queueName,
  async ({ data }) => {
    const signature = createHmac('sha256', data.secret).update(data.body).digest('base64');
    const status = await sendPlain(data, signature);
    log.run(data.endpoint, data.id, status);
    if (status < 200 || status >= 300) throw new Error(`the receiver returned ${status}`);
  },
  {
    connection: new Redis(redisConnection(Number(process.argv[3]))),
    concurrency: 10,
    ...(setup.isKilled && { lockDuration: 2_000, stalledInterval: 1_000 }),
  },
);
// Without a listener a lost connection ends the process.
worker.on('error', () => undefined);
await worker.waitUntilReady();
process.send?.('ready');
