import { app } from './app.ts';
import { runTimers } from './platform/run-timers.ts';
import { consumeDeadHints, consumeHints } from './events/hints-consumer.ts';
import { sweep } from './events/sweep.ts';

export { Reports } from './platform/reports.ts';

export default {
  fetch: app.fetch,

  async queue(batch, env) {
    if (batch.queue.includes('dead')) consumeDeadHints(batch);
    else await consumeHints(batch, env);
  },

  async scheduled(_event, env) {
    await Promise.all([sweep(env), runTimers(env)]);
  },
} satisfies ExportedHandler<Env>;
