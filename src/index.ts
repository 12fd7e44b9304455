import { createApp } from './app.ts';

export { Reports } from './platform/reports.ts';

const app = createApp();

// Handlers of the queue and of cron are imported by the first event of their kind, so that requests start sooner.
export default {
  fetch: app.fetch,

  async queue(batch, env, context) {
    if (batch.queue.endsWith('dead-letters')) {
      const { handleDeadLetters } = await import('./webhooks/queue/dlq-handler.ts');
      handleDeadLetters(batch, env);
    } else if (batch.queue.endsWith('sweep')) {
      const { handleSweeps } = await import('./platform/sweep/queue.ts');
      await handleSweeps(batch, env);
    } else if (batch.queue.endsWith('transfers')) {
      const { handleTransfers } = await import('./transfers/queue.ts');
      await handleTransfers(batch, env);
    } else if (batch.queue.endsWith('mail')) {
      const { handleMailWakeups } = await import('./mail/queue.ts');
      const { runAppEvents } = await import('./app-webhooks/sweep.ts');
      // Both wait in the outbox of the directory, and come from the same notices.
      await Promise.all([runAppEvents(env), handleMailWakeups(batch, env)]);
    } else {
      const { handleWakeups } = await import('./webhooks/queue/handler.ts');
      await handleWakeups(batch, env, {}, context);
    }
  },

  async scheduled({ scheduledTime }, env) {
    const { runScheduledTasks } = await import('./scheduled.ts');
    await runScheduledTasks(env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
