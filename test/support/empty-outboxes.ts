import { env } from 'cloudflare:workers';
import { beforeEach } from 'vitest';

/**
 * Deletes before each test of a file what others left to mail and to send: the runs of a test are
 * bounded, and would serve that first. A file calls it, because the files of an isolate share their
 * modules.
 */
export const emptyOutboxes = () =>
  beforeEach(async () => {
    await env.DIRECTORY.batch(
      [
        'delete from store_changes',
        'update mails set due_at = null where due_at is not null',
        'delete from app_deliveries',
        'update app_webhooks set next_at = null where next_at is not null',
      ].map((sql) => env.DIRECTORY.prepare(sql)),
    );
    for (const shard of [env.STORE_0, env.STORE_1]) {
      await shard.prepare('delete from store_notices').run();
    }
  });
