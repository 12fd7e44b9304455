import type { Context, Hono } from 'hono';
import { enforceNetworkLimit } from '../access/rate-limit.ts';
import { equalInConstantTime } from '../crypto/digest.ts';
import { unauthenticated } from '../errors.ts';
import { log } from '../log.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Registers `/health`, which returns 200 whenever the Worker runs, and `/ready`, which checks every dependency: 200 if
 * all respond, else 503 with the failed ones. `/ready` asks every database, so it is limited by network (429), and where
 * `READY_KEY` is set, it needs that key (`Authorization: Bearer`, else 401).
 */
export function mountHealth(app: Hono<AppEnv>) {
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/ready', async (c) => {
    await admitProbe(c);
    const checks = await Promise.all(
      dependencyChecks(c.env).map(async ([name, check]) => {
        try {
          await check();
          return [name, 'ok'] as const;
        } catch (error) {
          log('error', 'dependency_not_ready', {
            dependency: name,
            reason: String(error).slice(0, 200),
          });
          return [name, 'failed'] as const;
        }
      }),
    );
    const isReady = checks.every(([, status]) => status === 'ok');
    return c.json(
      { status: isReady ? 'ok' : 'failed', checks: Object.fromEntries(checks) },
      isReady ? 200 : 503,
    );
  });
}

async function admitProbe(c: Context<AppEnv>): Promise<void> {
  const { limits, readyKey } = c.var.settings;
  const address = c.req.header('CF-Connecting-IP');
  await enforceNetworkLimit({ env: c.env, limits, now: Date.now() }, 'pages', address);
  if (readyKey === undefined) return;
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  if (!(await equalInConstantTime(sent, readyKey))) throw unauthenticated();
}

function dependencyChecks(env: Env): [string, () => Promise<unknown>][] {
  const databases = Object.entries(env).filter(([name]) => /^(DIRECTORY|STORE_\d+)$/.test(name));
  return [
    ...databases.map(([name, binding]): [string, () => Promise<unknown>] => [
      name.toLowerCase(),
      // These names are D1 bindings only.
      () => (binding as D1Database).prepare('select 1').first(),
    ]),
    ['kv', () => env.GRANTS.get('ready')],
    // Checks that the bindings exist; a test message would wake consumers.
    [
      'queue',
      async () => {
        const queues = [env.WAKEUP_FAST_0, env.WAKEUP_SLOW_0, env.WAKEUP_DLQ];
        if (queues.some((queue) => typeof queue.send !== 'function')) throw new Error('no queue');
      },
    ],
  ];
}
