import { and, desc, eq, gt, sql } from 'drizzle-orm';
import {
  aliasTaken,
  conflict,
  TooManyStores,
  TooManyStoresToday,
  ValidationError,
} from '../base/errors.ts';
import type { Language } from '../base/languages.ts';
import { log } from '../base/log.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { openDatabase, shardBinding } from '../data/core/open-database.ts';
import { retryTransient } from '../data/core/retry-contention.ts';
import { chooseShard } from '../data/directory/choose-shard.ts';
import { isUserEmail } from '../data/directory/sign-in-accounts.ts';
import { stores, users } from '../data/schema/directory/directory-tables.ts';
import { insertPlacement } from '../data/shards/placements.ts';
import { wakeMail } from '../mail/outbox.ts';
import { insertStore, storePeriodMs, type StoreRow } from './insert-store.ts';
import { checkNewStore } from './store-input.ts';

interface NewStore {
  alias: string;
  name: string;
  /** IANA. */
  timezone: string;
  /** The owner by address, whether there is such a user or not. */
  ownerEmail?: string;
  /** The owner, who exists. Either this or `ownerEmail`. */
  ownerId?: number;
  /** Of the mail to the owner. */
  language?: Language | undefined;
  isTest?: boolean;
  /** Why an operator creates it. */
  reason?: string;
}

/** Attempts when others create stores or users of the same names meanwhile. */
const maxAttempts = 3;

/**
 * Creates a store with its owner, who gets a mail: an invitation if there is no such user. The same
 * call again changes nothing (`isNew` is false). Throws a 409 for an alias that another store has
 * or had, a `ValidationError`, and `TooManyStores` for a user who is no operator. The directory
 * changes in one batch; a shard that stops to respond at that moment gets the store from its sweep.
 */
export async function createStore(
  action: ActionContext,
  wanted: NewStore,
): Promise<{ store: StoreRow; isNew: boolean }> {
  const { owner_email: ownerEmail, ...fields } = checkNewStore({
    alias: wanted.alias,
    name: wanted.name,
    timezone: wanted.timezone,
    ...(wanted.ownerEmail !== undefined && { owner_email: wanted.ownerEmail }),
  });
  const { language = 'en', isTest = false, ownerId, reason } = wanted;
  const shard = await chooseShard(action.directory);
  for (let attempt = 1; ; attempt += 1) {
    const known = await findKnown(action, { alias: fields.alias, ownerEmail, ownerId });
    if (known.store) {
      const store = await completeKnown(action, { ...fields, isTest }, known.store, known.ownerId);
      return { store, isNew: false };
    }
    const owner = known.ownerId === undefined ? { email: ownerEmail ?? '' } : { id: known.ownerId };
    if (shard === undefined) throw conflict('no_room');
    // Nothing is created while the shard does not respond.
    await openDatabase(shardBinding(action.env, shard)).get(sql`select 1`);
    try {
      const store = await insertStore(action, {
        ...fields,
        owner,
        language,
        isTest,
        shard,
        reason,
      });
      await insertPlacementOf(action, store);
      action.defer(wakeMail(action.env));
      return { store, isNew: true };
    } catch (error) {
      if (error instanceof TooManyStoresToday) {
        throw new TooManyStores(await secondsToWait(action));
      }
      // Another request has created the store or the owner since they were read.
      if (!(error instanceof ValidationError) || attempt === maxAttempts) throw error;
    }
  }
}

/** Finds the store of the alias, and the owner, who must be active. One round trip. */
async function findKnown(
  { directory }: ActionContext,
  asked: { alias: string; ownerEmail: string | undefined; ownerId: number | undefined },
): Promise<{ store: StoreRow | undefined; ownerId: number | undefined }> {
  const { alias, ownerEmail, ownerId } = asked;
  const isOwner =
    ownerId === undefined ? isUserEmail(ownerEmail ?? '') : sql`${users.id} = ${ownerId}`;
  const [[store], [owner]] = await directory.batch([
    directory.select().from(stores).where(eq(stores.alias, alias)),
    directory.select({ id: users.id, active: users.active }).from(users).where(isOwner),
  ]);
  const isUsable = owner ? owner.active : ownerEmail !== undefined;
  if (!isUsable)
    throw new ValidationError({
      owner_email: ['Must be the address of a user who may sign in.'],
    });
  return { store, ownerId: owner?.id };
}

/**
 * The seconds until the user may make another store: the oldest that counts is then a day old. One
 * round trip.
 */
async function secondsToWait({ directory, settings, actor, now }: ActionContext): Promise<number> {
  const made = await directory
    .select({ at: stores.created_at })
    .from(stores)
    .where(and(eq(stores.made_by, actor.userId ?? 0), gt(stores.created_at, now - storePeriodMs)))
    .orderBy(desc(stores.created_at))
    .limit(Math.max(settings.storeLimits.perDay, 1));
  // A request that began later may have made it.
  const oldest = Math.min(made.at(-1)?.at ?? now, now);
  return Math.max(1, Math.ceil((oldest + storePeriodMs - now) / 1_000));
}

/**
 * Returns the store of a repeated call, and makes sure that its shard has it. Throws a 409 for
 * another store.
 */
async function completeKnown(
  action: ActionContext,
  { name, timezone, isTest }: { name: string; timezone: string; isTest: boolean },
  store: StoreRow,
  ownerId: number | undefined,
): Promise<StoreRow> {
  const isSame =
    store.owner_id === ownerId &&
    store.name === name &&
    store.zone === timezone &&
    store.test === isTest;
  if (!isSame) throw aliasTaken();
  // A store that has moved was in its shard.
  if (store.epoch === 0 && store.active) await insertPlacementOf(action, store);
  return store;
}

/**
 * Makes the shard the home of the store. If it does not respond, its sweep does it within a minute
 * (`store_changes`).
 */
async function insertPlacementOf({ env }: ActionContext, store: StoreRow): Promise<void> {
  const shard = openDatabase(shardBinding(env, store.shard));
  try {
    await retryTransient(() => shard.batch([insertPlacement(shard, store)]));
  } catch {
    log('warn', 'store_not_in_shard', { store: store.id, shard: store.shard });
  }
}
