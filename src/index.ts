import { app } from './app.ts';
import { consumeDeadHints } from './events/dead-hints.ts';
import { consumeHints } from './events/hints-consumer.ts';
import { sweep } from './events/sweep.ts';
import { tidyGrants } from './oauth/tidy-grants.ts';
import { purge } from './session/purge.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env, context) {
    if (batch.queue.includes('dead')) await consumeDeadHints(batch, env);
    else await consumeHints(batch, env, {}, context);
  },

  async scheduled({ scheduledTime }, env) {
    await Promise.all([
      sweep(env),
      tidyGrants(env, scheduledTime),
      purge(env.DIRECTORY, scheduledTime),
    ]);
  },
} satisfies ExportedHandler<Env>;
