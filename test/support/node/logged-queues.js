/**
 * The Worker with a log line for each queue message. The database fails for the last attempt of the first wake-up of a webhook, so
 * that there is a dead letter as well.
 */
import service from './index.js';

export * from './index.js';

let isFirst = true;

export default {
  ...service,
  async queue(batch, env, context) {
    for (const { body } of batch.messages) {
      console.log(`queue ${batch.queue} brings ${JSON.stringify(body)}`);
    }
    if (isFirst && batch.queue.startsWith('webhook-')) {
      isFirst = false;
      await service.queue(withLastAttempt(batch), { ...env, STORE_0: failingDatabase }, context);
    }
    return service.queue(batch, env, context);
  },
};

const ignore = () => undefined;

const withLastAttempt = ({ queue, messages }) => ({
  queue,
  messages: messages.map(({ body }) => ({ body, attempts: 6, ack: ignore })),
  ackAll: ignore,
  retryAll: ignore,
});

const failingDatabase = {
  prepare: () => ({ bind: () => ({}) }),
  batch: () => Promise.reject(new Error('D1_ERROR: D1 DB is overloaded.')),
};
