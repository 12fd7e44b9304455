import { createApp } from './app/app.ts';
import { handleQueue } from './app/queue-consumers.ts';

export { Reports } from './app/event-reports.ts';

export default {
  fetch: createApp().fetch,
  queue: handleQueue,
  async scheduled({ scheduledTime }, env) {
    const { runScheduledTasks } = await import('./app/cron.ts');
    await runScheduledTasks(env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
