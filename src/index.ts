import { createApp } from './app/app.ts';
import { handleQueue } from './app/queues.ts';

export { Reports } from './app/reports.ts';

export default {
  fetch: createApp().fetch,
  queue: handleQueue,
  async scheduled({ scheduledTime }, env) {
    const { runScheduledTasks } = await import('./app/cron.ts');
    await runScheduledTasks(env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
