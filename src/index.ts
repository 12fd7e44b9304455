import { app } from './app.ts';
import { consumeDeadHints, consumeHints } from './events/hints-consumer.ts';
import { sweep } from './events/sweep.ts';
import { tidyGrants } from './oauth/tidy-grants.ts';
import { purge } from './session/purge.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    if (batch.queue.includes('dead')) consumeDeadHints(batch);
    else await consumeHints(batch, env);
  },

  async scheduled({ scheduledTime }, env) {
    await Promise.all([
      sweep(env),
      tidyGrants(env, scheduledTime),
      purge(env.DIRECTORY, scheduledTime),
    ]);
  },
} satisfies ExportedHandler<Env>;
