import { env } from 'cloudflare:workers';
import { beforeEach } from 'vitest';

/** Drops what other files left to tell and to send, so that the bounded runs of a test find what is its own. */
beforeEach(async () => {
  await env.DIRECTORY.batch(
    [
      'delete from store_changes',
      'update mails set due_at = null where due_at is not null',
      'delete from app_deliveries',
    ].map((sql) => env.DIRECTORY.prepare(sql)),
  );
  for (const shard of [env.STORE_0, env.STORE_1]) {
    await shard.prepare('delete from store_notices').run();
  }
});
