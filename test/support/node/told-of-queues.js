/**
 * The Worker, and a line of the log for each message that a queue brings it. The database does not answer for the first
 * hint's last time, so that there is a dead one too.
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
    if (isFirst) {
      isFirst = false;
      await service.queue(spent(batch), { ...env, STORE_0: away }, context);
    }
    return service.queue(batch, env, context);
  },
};

const ignored = () => undefined;

const spent = ({ queue, messages }) => ({
  queue,
  messages: messages.map(({ body }) => ({ body, attempts: 6, ack: ignored })),
  ackAll: ignored,
  retryAll: ignored,
});

const away = {
  prepare: () => ({ bind: () => ({}) }),
  batch: () => Promise.reject(new Error('D1_ERROR: D1 DB is overloaded.')),
};
