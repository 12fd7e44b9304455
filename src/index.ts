import { createApp } from './app/app.ts';
import type { handOver as HandOver } from './app/hand-over.ts';
import { handleQueue } from './app/queue-consumers.ts';
import { directoryRegion } from './base/regions.ts';

export { Reports } from './app/event-reports.ts';

const { fetch: answer } = createApp();
let handOver: typeof HandOver | undefined;

/** Of a deployment with databases in several regions. Its code is loaded with the first request. */
async function answerFromRegion(home: string, ...served: [Request, Env, ExecutionContext]) {
  handOver ??= (await import('./app/hand-over.ts')).handOver;
  return await handOver(home, answer, ...served);
}

export default {
  fetch(request: Request, env: Env, context: ExecutionContext) {
    const home = directoryRegion(env);
    return home === undefined
      ? answer(request, env, context)
      : answerFromRegion(home, request, env, context);
  },
  queue: handleQueue,
  async scheduled({ scheduledTime }, env) {
    const { runScheduledTasks } = await import('./app/cron.ts');
    await runScheduledTasks(env, scheduledTime);
  },
} satisfies ExportedHandler<Env>;
