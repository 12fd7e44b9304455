import { app } from './app.ts';

export { Reports } from './platform/reports.ts';

// What no request of the API needs is loaded by the first event that does.
export default {
  fetch: app.fetch,

  async queue(batch, env, context) {
    if (batch.queue.includes('dead')) {
      const { consumeDeadHints } = await import('./events/dead-hints.ts');
      await consumeDeadHints(batch, env);
    } else {
      const { consumeHints } = await import('./events/hints-consumer.ts');
      await consumeHints(batch, env, {}, context);
    }
  },

  async scheduled({ scheduledTime }, env) {
    const { everyMinute } = await import('./every-minute.ts');
    await everyMinute(env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
