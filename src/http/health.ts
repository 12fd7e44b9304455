import type { Context, Hono } from 'hono';
import { pathNumber } from '../base/codecs/fields/ids.ts';
import { equalInConstantTime } from '../base/crypto/digest.ts';
import { HttpError, unauthenticated } from '../base/errors.ts';
import { bearerToken } from './access/access-token.ts';
import { enforceNetworkLimit } from './access/rate-limit.ts';
import type { AppEnv } from './app-env.ts';

/**
 * Registers `/health`, which returns 200 whenever the Worker runs, and `/ready`, which checks every
 * dependency: 200 if all respond, else 503 with the failed ones. `/ready` asks many databases, so
 * it is limited by network (429), and a deployment asks for its `READY_KEY`
 * (`Authorization: Bearer`, else 401). An answer covers 250 shards; if there are more, it names the
 * `next_shard`, from which on `/ready?from_shard=` asks.
 */
export function mountHealth(app: Hono<AppEnv>) {
  app.get('/health', (c) => c.json({ status: 'ok' }));
  app.get('/ready', async (c) => {
    await admitProbe(c);
    const fromShard = pathNumber.safeParse(c.req.query('from_shard') ?? '0');
    if (!fromShard.success) {
      const messages = fromShard.error.issues.map(({ message }) => message);
      throw new HttpError('invalid_query', { errors: { from_shard: messages } });
    }
    const { checkReadiness } = await import('./readiness.ts');
    const readiness = await checkReadiness(c.env, fromShard.data);
    return c.json(readiness, readiness.status === 'ok' ? 200 : 503);
  });
}

async function admitProbe(c: Context<AppEnv>): Promise<void> {
  const { isLocal, limits, readyKey } = c.var.settings;
  const address = c.req.header('CF-Connecting-IP');
  await enforceNetworkLimit({ env: c.env, limits, now: Date.now() }, 'pages', address);
  if (readyKey === undefined && isLocal) return;
  const sent = bearerToken(c.req.header('Authorization')) ?? '';
  if (readyKey === undefined || !(await equalInConstantTime(sent, readyKey))) {
    throw unauthenticated();
  }
}
