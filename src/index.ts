import { app } from './app.ts';
import { consumeDeadHints } from './events/dead-hints.ts';
import { consumeHints } from './events/hints-consumer.ts';
import { sweep } from './events/sweep.ts';
import { tidyGrants } from './oauth/tidy-grants.ts';
import { runTimers } from './platform/run-timers.ts';
import { purge } from './session/purge.ts';

export { Reports } from './platform/reports.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env, context) {
    if (batch.queue.includes('dead')) await consumeDeadHints(batch, env);
    else await consumeHints(batch, env, {}, context);
  },

  async scheduled({ scheduledTime }, env) {
    await Promise.all([
      sweep(env),
      runTimers(env),
      tidyGrants(env, scheduledTime),
      purge(env.DIRECTORY, scheduledTime),
    ]);
  },
} satisfies ExportedHandler<Env>;
