import { env } from 'cloudflare:workers';
import { archiveBodies } from '../../../src/webhooks/archive/archive-store.ts';
import type { TestStore } from '../fixtures/store.ts';
import { fillDeliveryLog } from './delivery-log.ts';
import { sweepContextAt } from './sweep-context.ts';
import '../fixtures/first-shard.ts';

const dayMs = 86_400_000;
const shard = env.STORE_0;

/** The body of an event, with `length` characters of text. Each has two bytes. */
export const bodyOfLength = (length = 10) =>
  JSON.stringify({
    event: 'product.created',
    time: '2031-03-05 09:04:07',
    merchant: { id: 1, alias: 'loja' },
    resource: { text: 'ã'.repeat(length) },
  });

/**
 * Adds delivered events of `days` ago to the log of a webhook, a second apart, and makes the store
 * due for archiving.
 */
export async function fillOldLog(
  store: TestStore,
  webhook: number,
  { count, days = 10, body = bodyOfLength() }: { count: number; days?: number; body?: string },
): Promise<void> {
  const since = Date.now() - days * dayMs;
  await fillDeliveryLog(store, webhook, { count, since, body });
  await makeDue(store);
}

/** Makes this store of the shard due for archiving, and no other one. */
export const makeDue = (store: TestStore) =>
  shard.batch([
    shard.prepare('update event_budgets set archive_at = null where archive_at is not null'),
    shard
      .prepare(
        `insert into event_budgets (store_id, day, bytes) values (?1, ?2, 0)
         on conflict do update set archive_at = 0`,
      )
      .bind(store.id, Math.floor(Date.now() / dayMs)),
  ]);

/**
 * Archives the bodies of the stores that are due. Bindings of the service can be replaced. Returns
 * the number of objects.
 */
export async function archive(bindings: Partial<Env> = {}, now = Date.now()): Promise<number> {
  const bucket = bindings.ARCHIVE ?? env.ARCHIVE;
  let objects = 0;
  const ARCHIVE = archiveWith({
    put: async (...input) => {
      const stored = await bucket.put(...input);
      objects += 1;
      return stored;
    },
  });
  const world = { ...env, ...bindings, ARCHIVE };
  await archiveBodies({ ...sweepContextAt(now), env: world, db: bindings.STORE_0 ?? shard });
  return objects;
}

/** The row of a store that says how far its bodies are archived, and when to look again. */
export const archiveTurnOf = (store: TestStore) =>
  shard
    .prepare('select archived_to, archive_at from event_budgets where store_id = ?')
    .bind(store.id)
    .first<{ archived_to: string; archive_at: number | null }>();

/** The objects of a store that the database knows, oldest first. */
export async function objectsOf(store: TestStore) {
  const query = 'select * from webhook_archives where store_id = ? order by key';
  const { results } = await shard.prepare(query).bind(store.id).all<{ key: string }>();
  return results;
}

/** The number of bodies of a store that are in its database. */
export const bodiesLeft = (store: TestStore) =>
  shard
    .prepare('select count(body) as n from webhook_events where store_id = ?')
    .bind(store.id)
    .first<number>('n');

/** The archive, with some methods replaced. */
export const archiveWith = (methods: {
  [Name in 'get' | 'put' | 'delete']?: (...input: Parameters<R2Bucket[Name]>) => unknown;
}) =>
  ({
    get: (...input: Parameters<R2Bucket['get']>) => env.ARCHIVE.get(...input),
    put: (...input: Parameters<R2Bucket['put']>) => env.ARCHIVE.put(...input),
    delete: (...input: Parameters<R2Bucket['delete']>) => env.ARCHIVE.delete(...input),
    head: (key: string) => env.ARCHIVE.head(key),
    ...methods,
  }) as unknown as R2Bucket;

/** The archive, and how many objects were read from it. */
export function countingArchive() {
  const reads = { count: 0 };
  const bucket = archiveWith({
    get: (...input) => {
      reads.count += 1;
      return env.ARCHIVE.get(...input);
    },
  });
  return { bucket, reads };
}
