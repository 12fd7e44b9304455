import { and, eq } from 'drizzle-orm';
import { lifetimes } from '../lifetimes.ts';
import { answered } from './answered.ts';
import { Believed } from './believed.ts';
import type { Shard } from './open.ts';
import { memberships, stores, users } from './schema/directory.ts';
import type { Store } from './store.ts';

/** A user who may sign in, and the store if the user still belongs to it. */
export interface Standing {
  store: Store | undefined;
}

const warm = new Believed<Standing | undefined>(lifetimes.believed, 5_000);

/**
 * What a user has to do with a store; `undefined` when the user is gone or inactive. At most one round trip
 * to the directory; an isolate believes the answer for 30 seconds.
 */
export async function storeOfUser(
  directory: Shard,
  userId: number,
  storeId: number,
  now: number,
): Promise<Standing | undefined> {
  const key = `${userId}:${storeId}`;
  const kept = warm.get(key, now);
  if (kept) return kept.value;
  const [found] = await answered(
    directory
      .select({
        store: {
          id: stores.id,
          alias: stores.alias,
          shard: stores.shard,
          zone: stores.zone,
          base_url: stores.base_url,
          active: stores.active,
        },
      })
      .from(users)
      .leftJoin(
        memberships,
        and(eq(memberships.user_id, users.id), eq(memberships.store_id, storeId)),
      )
      .leftJoin(stores, eq(stores.id, memberships.store_id))
      .where(and(eq(users.id, userId), eq(users.active, true))),
  );
  const standing = found && { store: found.store ?? undefined };
  warm.set(key, standing, now);
  return standing;
}
