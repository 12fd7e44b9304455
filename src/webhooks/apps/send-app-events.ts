import { log } from '../../base/log.ts';
import { settingsOf } from '../../base/settings.ts';
import { openDatabase, shardBindings } from '../../data/core/open-database.ts';
import { wakeMail } from '../../mail/wake-mail.ts';
import { DeliveryRun } from '../delivery/delivery-run.ts';
import { defaultDeliveryDeps, type DeliveryDeps } from '../delivery/deps.ts';
import { StallDetector } from '../delivery/stall-detector.ts';
import { createCachedHostCheck } from '../url-policy/cached-check.ts';
import { AppWebhooks } from './app-webhooks.ts';

/** No send starts later in a run, so that it ends before its leases do. */
const budgetMs = 20_000;

interface RunOptions {
  deps?: Partial<DeliveryDeps>;
  /** Once a minute: also deletes old deliveries. */
  isSweep?: boolean;
}

/**
 * Sends the due events of the webhooks of apps, each at least once, with the same id. Returns whether more is due. One
 * round trip if nothing is, else three. Rejects when the directory fails.
 */
export async function sendAppEvents(
  env: Env,
  { deps: injected = {}, isSweep = false }: RunOptions = {},
): Promise<{ hasMore: boolean }> {
  const settings = settingsOf(env);
  const baseDeps = { ...defaultDeliveryDeps, ...injected };
  const deps = { checkHost: createCachedHostCheck(env, settings, baseDeps), ...baseDeps };
  const [shard = 0] = shardBindings(env).keys();
  const webhooks = new AppWebhooks(openDatabase(env.DIRECTORY), settings, { shard, isSweep });
  let hasMore = false;
  const run = new DeliveryRun(settings, deps, {
    budgetMs,
    isSlow: false,
    stallDetector: new StallDetector(),
    wake: (_shard, released) => {
      hasMore ||= released.some(({ nextAttemptAt }) => nextAttemptAt <= deps.now());
      return Promise.resolve();
    },
    requestWorkers: () => Promise.resolve(),
  });
  const { failure } = await run.execute([webhooks]);
  if (failure !== undefined) throw failure;
  return { hasMore: hasMore || webhooks.isFull };
}

/**
 * Sends the waiting events of the webhooks of apps: on each wake-up of the outbox, and each minute, when it also
 * deletes old deliveries. Never rejects: the next minute looks again.
 */
export async function runAppEvents(env: Env, { isSweep = false } = {}): Promise<void> {
  try {
    const { hasMore } = await sendAppEvents(env, { isSweep });
    if (hasMore) await wakeMail(env);
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('error', 'app_events_failed', { alert: true, message });
  }
}
