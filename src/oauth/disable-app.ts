import { eq, sql } from 'drizzle-orm';
import { answered } from '../db/answered.ts';
import { forgetApp } from '../db/apps.ts';
import { revoking } from '../db/grants/revoking.ts';
import { openShard } from '../db/open.ts';
import { apps } from '../db/schema/directory.ts';
import { everyShard } from '../db/shards.ts';
import { steadily } from '../db/steadily.ts';

/**
 * Disables an app, or takes it out of the store of applications (`draft`): first no new grant can come, then
 * shard by shard all its grants end and its webhooks are paused, those in the partner's own stores as well.
 * May be repeated when a shard did not answer (503).
 */
export async function disableApp(
  env: Env,
  clientId: string,
  now: number,
  state: 'disabled' | 'draft' = 'disabled',
): Promise<void> {
  const directory = openShard(env.DIRECTORY);
  await steadily(() =>
    answered(
      directory.update(apps).set({ state, updated_at: now }).where(eq(apps.client_id, clientId)),
    ),
  );
  forgetApp(clientId);
  for (const binding of everyShard(env).values()) {
    const shard = openShard(binding);
    const ofApp = sql`client_id = ${clientId}`;
    await steadily(() => answered(shard.batch(revoking(shard, ofApp, 'app withdrawn', now))));
  }
}
