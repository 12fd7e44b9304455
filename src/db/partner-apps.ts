import { and, desc, eq, sql } from 'drizzle-orm';
import { answered } from './answered.ts';
import { forgetApp, type App } from './apps.ts';
import type { Shard } from './open.ts';
import { plainStatement } from './raw.ts';
import { apps } from './schema/directory.ts';

/** How many apps a partner may register. */
export const maxApps = 50;

/** What a partner says of an app. */
export type AppValues = Pick<App, 'name' | 'publisher' | 'redirect_uris' | 'scopes'>;

/** The apps of a partner, the newest first. One round trip. */
export const listOwnApps = (directory: Shard, ownerId: number): Promise<App[]> =>
  answered(
    directory
      .select()
      .from(apps)
      .where(eq(apps.owner_id, ownerId))
      .orderBy(desc(apps.id))
      .limit(maxApps),
  );

/** An app of a partner as it is now; `undefined` for one of somebody else. One round trip. */
export async function findOwnApp(
  directory: Shard,
  ownerId: number,
  clientId: string,
): Promise<App | undefined> {
  const [app] = await answered(directory.select().from(apps).where(isOwn(ownerId, clientId)));
  return app;
}

/** Registers an app as a draft, unless its partner has as many as there may be; answers whether it did. */
export async function addApp(
  directory: Shard,
  { ownerId, clientId, now }: { ownerId: number; clientId: string; now: number },
  { name, publisher, redirect_uris, scopes }: AppValues,
): Promise<boolean> {
  const [added] = await answered(
    directory.batch([
      plainStatement<{ id: number }>(
        directory,
        sql`insert into ${apps} (client_id, owner_id, name, publisher, redirect_uris, scopes,
            created_at, updated_at)
          select ${clientId}, ${ownerId}, ${name}, ${publisher}, ${JSON.stringify(redirect_uris)},
            ${scopes}, ${now}, ${now}
          where (select count(*) from ${apps} where owner_id = ${ownerId}) < ${maxApps}
          returning id`,
      ),
    ]),
  );
  return added.length > 0;
}

/** Changes what a partner says of an app of theirs. One round trip. */
export async function changeApp(
  directory: Shard,
  { ownerId, clientId, now }: { ownerId: number; clientId: string; now: number },
  values: AppValues,
): Promise<void> {
  await answered(
    directory
      .update(apps)
      .set({ ...values, updated_at: now })
      .where(isOwn(ownerId, clientId)),
  );
  forgetApp(clientId);
}

/** Publishes a draft of a partner; an app in another state stays as it is. One round trip. */
export async function publishApp(
  directory: Shard,
  { ownerId, clientId, now }: { ownerId: number; clientId: string; now: number },
): Promise<void> {
  await answered(
    directory
      .update(apps)
      .set({ state: 'published', updated_at: now })
      .where(and(isOwn(ownerId, clientId), eq(apps.state, 'draft'))),
  );
  forgetApp(clientId);
}

const isOwn = (ownerId: number, clientId: string) =>
  and(eq(apps.owner_id, ownerId), eq(apps.client_id, clientId));
