import { eq, sql, type SQL } from 'drizzle-orm';
import { invite } from '../accounts/members/invite.ts';
import { insertUserStatement, userIdByEmail } from '../accounts/users/insert-user.ts';
import { dayMs } from '../base/durations.ts';
import { type Language } from '../base/languages.ts';
import { Role } from '../base/roles.ts';
import type { Settings } from '../base/settings.ts';
import type { ActionContext } from '../data/audit/action.ts';
import { auditStatement } from '../data/audit/audit-lines.ts';
import { abortUnless } from '../data/core/data-errors.ts';
import { rawDatabaseStatement } from '../data/core/raw.ts';
import type { Statement } from '../data/core/statement.ts';
import {
  memberships,
  storeChanges,
  stores,
  users,
} from '../data/schema/directory/directory-tables.ts';
import { insertMailToUser, prepareMail } from '../mail/outbox.ts';
import { assertNeverOfAnother } from './former-alias.ts';

export type StoreRow = typeof stores.$inferSelect;

/** The owner of a new store: a user, or an address without a user. */
type NewOwner = { id: number; email?: never } | { id?: never; email: string };

/** A new store whose fields are checked. */
interface CheckedStore {
  alias: string;
  name: string;
  timezone: string;
  owner: NewOwner;
  language: Language;
  isTest: boolean;
  shard: number;
  reason: string | undefined;
}

/**
 * Creates a store in the directory in one batch. It has the store, its owner as a member, the mail
 * to the owner, and the change that its shard must receive. Throws a `ValidationError` if another
 * store has the alias, or another user the address of a new owner. Throws a 409 if another store
 * had the alias.
 */
export async function insertStore(action: ActionContext, input: CheckedStore): Promise<StoreRow> {
  const { directory, actor, from, now, settings } = action;
  const { alias, name, timezone, owner, isTest, shard, reason } = input;
  const storeId = sql<number>`(select id from ${stores} where alias = ${alias})`;
  const ownerId = owner.id === undefined ? userIdByEmail(owner.email) : sql<number>`${owner.id}`;
  const [, [store]] = await directory.batch([
    ownerStatement(action, input),
    directory
      .insert(stores)
      .values({
        alias,
        name,
        owner_id: ownerId,
        shard,
        zone: timezone,
        test: isTest,
        made_by: madeBy(action, input),
        base_url: `https://${alias}.${shopDomain(settings)}`,
        created_at: now,
        updated_at: now,
      })
      .returning(),
    directory
      .insert(memberships)
      .values({ user_id: ownerId, store_id: storeId, role: Role.owner, created_at: now }),
    directory.insert(storeChanges).values({ shard, store_id: storeId, is_new: true }),
    auditStatement(directory, {
      at: now,
      actor,
      from,
      action: 'store.created',
      target: { kind: 'store', id: storeId },
      storeId,
      ...(reason !== undefined && { reason }),
      changes: { alias: [null, alias], name: [null, name], timezone: [null, timezone] },
    }),
    await assertNeverOfAnother(action, alias),
    ...testStoreLimit(action, input),
    ...storeLimits(action, input),
    ...(await tellOwnerOfStore(action, input, storeId)),
  ]);
  // The insert returns its row, or the batch fails.
  return store as StoreRow;
}

/** The most test stores of a user who creates them without an operator. */
export const maxTestStores = 5;

/**
 * Aborts the batch with `TooManyTestStores` if the user now has more than {@link maxTestStores}.
 */
function testStoreLimit({ directory, actor }: ActionContext, { isTest, owner }: CheckedStore) {
  if (!isTest || actor.kind === 'operator') return [];
  return [
    rawDatabaseStatement(
      directory,
      abortUnless(
        sql`(select count(*) from ${stores} where owner_id = ${owner.id}
          and test = 1 and erased_at is null) <= ${maxTestStores}`,
        'test_stores',
      ),
    ),
  ];
}

/**
 * The user whose own store it is; null for one of an operator, and for a test store, which has a
 * limit of its own.
 */
const madeBy = ({ actor }: ActionContext, { isTest }: CheckedStore) =>
  actor.kind === 'operator' || isTest ? null : actor.userId;

/** The period in which a user makes so many stores. */
export const storePeriodMs = dayMs;

/**
 * Aborts the batch with `TooManyStores` or `TooManyStoresToday` if a user now has more stores than
 * a user may have, or made more in a day. A closed store counts until its data are erased, a store
 * that was erased or handed over counts for its day. An operator has no limit.
 */
function storeLimits(action: ActionContext, input: CheckedStore) {
  const { directory, now, settings } = action;
  const userId = madeBy(action, input);
  if (userId === null) return [];
  const { perUser, perDay } = settings.storeLimits;
  const isExempt = sql`exists (select 1 from ${users} where id = ${userId} and super_user = 1)`;
  const owned = sql`select count(*) from ${stores} where owner_id = ${userId} and test = 0 and erased_at is null`;
  const made = sql`select count(*) from ${stores} where made_by = ${userId} and created_at > ${now - storePeriodMs}`;
  return [
    abortUnless(sql`${isExempt} or (${owned}) <= ${perUser}`, 'stores'),
    abortUnless(sql`${isExempt} or (${made}) <= ${perDay}`, 'stores_today'),
  ].map((statement) => rawDatabaseStatement(directory, statement));
}

/** Creates the owner if they are no user yet; else it changes nothing. */
const ownerStatement = ({ directory, now }: ActionContext, { owner, language }: CheckedStore) =>
  owner.id === undefined
    ? insertUserStatement(
        directory,
        { email: owner.email, name: nameOfAddress(owner.email), language },
        now,
      )
    : directory.select().from(users).where(eq(users.id, owner.id));

/** Returns the name of a user until the invitation is accepted. */
const nameOfAddress = (email: string) => email.split('@')[0] ?? email;

/** The mail to the owner. A user who creates a store for themselves gets none. */
async function tellOwnerOfStore(
  action: ActionContext,
  { name, owner, language, reason }: CheckedStore,
  storeId: SQL<number>,
): Promise<readonly Statement[]> {
  if (owner.id === undefined) {
    const { email } = owner;
    const request = { kind: 'store', role: Role.owner, email, language, reason } as const;
    return (await invite(action, { ...request, storeId, storeName: name })).statements;
  }
  if (owner.id === action.actor.userId) return [];
  const mail = await prepareMail(action.settings, {
    kind: 'store_made',
    data: { store: name, by: action.actor.name },
  });
  return [insertMailToUser(action.directory, mail, owner.id, action.now)];
}

/** Under which new stores get the address of their shop. */
const shopDomain = ({ isLocal, linkOrigin }: Settings) =>
  isLocal ? 'loja.test' : new URL(linkOrigin).hostname;
