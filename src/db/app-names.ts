import { sql } from 'drizzle-orm';
import { answered } from './answered.ts';
import type { App } from './apps.ts';
import type { Shard } from './open.ts';
import { apps } from './schema/directory.ts';

/** What a merchant is told of an app. */
export type NamedApp = Pick<App, 'name' | 'publisher'>;

/** The names of apps by client id. One round trip, none without ids. */
export async function appNames(
  directory: Shard,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, NamedApp>> {
  if (clientIds.length === 0) return new Map();
  const found = await answered(
    directory
      .select({ clientId: apps.client_id, name: apps.name, publisher: apps.publisher })
      .from(apps)
      .where(sql`${apps.client_id} in (select value from json_each(${JSON.stringify(clientIds)}))`),
  );
  return new Map(found.map(({ clientId, ...named }) => [clientId, named]));
}
