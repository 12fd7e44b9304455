import { app } from './app.ts';
import { consumeDeadHints } from './events/dead-hints.ts';
import { consumeHints } from './events/hints-consumer.ts';
import { sweep } from './events/sweep.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env, context) {
    if (batch.queue.includes('dead')) await consumeDeadHints(batch, env);
    else await consumeHints(batch, env, {}, context);
  },

  async scheduled(_event, env) {
    await sweep(env);
  },
} satisfies ExportedHandler<Env>;
