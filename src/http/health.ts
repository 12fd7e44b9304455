import type { Hono } from 'hono';
import { log } from '../log.ts';
import type { Faces } from './faces.ts';

/**
 * `/health` says that the Worker runs and touches nothing else. `/ready` asks each thing it stands on:
 * 200 when all answer, else 503 with the ones that do not.
 */
export function mountHealth(app: Hono<Faces>) {
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/ready', async (c) => {
    const checks = await Promise.all(
      dependencies(c.env).map(async ([name, ask]) => {
        try {
          await ask();
          return [name, 'ok'] as const;
        } catch (error) {
          log('error', 'not ready', { dependency: name, reason: String(error).slice(0, 200) });
          return [name, 'failed'] as const;
        }
      }),
    );
    const isReady = checks.every(([, state]) => state === 'ok');
    return c.json(
      { status: isReady ? 'ok' : 'failed', checks: Object.fromEntries(checks) },
      isReady ? 200 : 503,
    );
  });
}

function dependencies(env: Env): [string, () => Promise<unknown>][] {
  const databases = Object.entries(env).filter(([name]) => /^(DIRECTORY|STORE_\d+)$/.test(name));
  return [
    ...databases.map(([name, binding]): [string, () => Promise<unknown>] => [
      name.toLowerCase(),
      // The filter above leaves D1 bindings only.
      () => (binding as D1Database).prepare('select 1').first(),
    ]),
    ['kv', () => env.GRANTS.get('ready')],
    // Sending would make work; that the bindings can is all there is to ask.
    [
      'queue',
      async () => {
        const queues = [env.HINTS_FAST_0, env.HINTS_SLOW_0, env.DEAD_HINTS];
        if (queues.some((queue) => typeof queue.send !== 'function')) throw new Error('no queue');
      },
    ],
  ];
}
