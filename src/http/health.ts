import type { Context, Hono } from 'hono';
import { equalInConstantTime } from '../base/crypto/digest.ts';
import { unauthenticated } from '../base/errors.ts';
import { enforceNetworkLimit } from './access/rate-limit.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Registers `/health`, which returns 200 whenever the Worker runs, and `/ready`, which checks every dependency: 200 if
 * all respond, else 503 with the failed ones. `/ready` asks every database, so it is limited by network (429), and a
 * deployment asks for its `READY_KEY` (`Authorization: Bearer`, else 401).
 */
export function mountHealth(app: Hono<AppEnv>) {
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/ready', async (c) => {
    await admitProbe(c);
    const { checkReadiness } = await import('./readiness.ts');
    const readiness = await checkReadiness(c.env);
    return c.json(readiness, readiness.status === 'ok' ? 200 : 503);
  });
}

async function admitProbe(c: Context<AppEnv>): Promise<void> {
  const { isLocal, limits, readyKey } = c.var.settings;
  const address = c.req.header('CF-Connecting-IP');
  await enforceNetworkLimit({ env: c.env, limits, now: Date.now() }, 'pages', address);
  if (readyKey === undefined && isLocal) return;
  const [, sent = ''] = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '') ?? [];
  if (readyKey === undefined || !(await equalInConstantTime(sent, readyKey))) {
    throw unauthenticated();
  }
}
