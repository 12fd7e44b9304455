import { app } from './app.ts';
import { consumeDeadHints, consumeHints } from './events/hints-consumer.ts';
import { sweep } from './events/sweep.ts';
import { purge } from './session/purge.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    if (batch.queue.includes('dead')) consumeDeadHints(batch);
    else await consumeHints(batch, env);
  },

  async scheduled(_event, env) {
    await Promise.all([sweep(env), purge(env.DIRECTORY)]);
  },
} satisfies ExportedHandler<Env>;
