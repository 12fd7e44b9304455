import { eq, sql, type SQL } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import type { Statement } from '../../db/core/statement.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { memberships, storeChanges, stores, users } from '../../db/schema/directory.ts';
import { failGuard } from '../../db/shards/residents.ts';
import { insertMailToUser, prepareMail, type MailLanguage } from '../../mail/outbox.ts';
import type { Settings } from '../../settings.ts';
import type { DeedContext } from '../deed.ts';
import { invite } from '../invitations/invite.ts';
import { insertUserStatement, userIdByEmail } from '../users/insert-user.ts';

export type StoreRow = typeof stores.$inferSelect;

/** The owner of a new store: a user, or the address of somebody who is none yet. */
type NewOwner = { id: number; email?: never } | { id?: never; email: string };

/** A new store whose fields are checked. */
interface CheckedStore {
  alias: string;
  name: string;
  timezone: string;
  owner: NewOwner;
  language: MailLanguage;
  isTest: boolean;
  shard: number;
}

/**
 * Makes a store in the directory in one batch: the store, its owner as a member, the mail to the owner, and what its shard
 * must hear. Throws a `ValidationError` if another store has the alias, or another user the address of a new owner.
 */
export async function insertStore(deed: DeedContext, input: CheckedStore): Promise<StoreRow> {
  const { directory, actor, from, now, settings } = deed;
  const { alias, name, timezone, owner, isTest, shard } = input;
  const storeId = sql<number>`(select id from ${stores} where alias = ${alias})`;
  const ownerId = owner.id === undefined ? userIdByEmail(owner.email) : sql<number>`${owner.id}`;
  const [, [store]] = await withDbErrors(
    directory.batch([
      ownerStatement(deed, input),
      directory
        .insert(stores)
        .values({
          alias,
          name,
          owner_id: ownerId,
          shard,
          zone: timezone,
          test: isTest,
          base_url: `https://${alias}.${shopDomain(settings)}`,
          created_at: now,
          updated_at: now,
        })
        .returning(),
      directory
        .insert(memberships)
        .values({ user_id: ownerId, store_id: storeId, role: 'owner', created_at: now }),
      directory.insert(storeChanges).values({ shard, store_id: storeId, is_new: true }),
      auditStatement(directory, {
        at: now,
        actor,
        from,
        action: 'store.created',
        target: { kind: 'store', id: storeId },
        storeId,
        changes: { alias: [null, alias], name: [null, name], timezone: [null, timezone] },
      }),
      ...testStoreLimit(deed, input),
      ...(await tellOwner(deed, input, storeId)),
    ]),
  );
  // The insert returns its row, or the batch fails.
  return store as StoreRow;
}

/** The most test stores of a user who makes them without an operator. */
export const maxTestStores = 5;

/** Aborts the batch with `TooManyTestStores` if the user now has more than {@link maxTestStores}. */
function testStoreLimit({ directory, actor }: DeedContext, { isTest, owner }: CheckedStore) {
  if (!isTest || actor.kind === 'operator') return [];
  return [
    rawDatabaseStatement(
      directory,
      sql`select iif((select count(*) from ${stores} where owner_id = ${owner.id}
          and test = 1 and erased_at is null) <= ${maxTestStores}, 1, ${sql.raw(failGuard('test_stores'))})`,
    ),
  ];
}

/** Makes the owner who is no user yet; for others it changes nothing. */
const ownerStatement = ({ directory, now }: DeedContext, { owner, language }: CheckedStore) =>
  owner.id === undefined
    ? insertUserStatement(
        directory,
        { email: owner.email, name: nameOfAddress(owner.email), language },
        now,
      )
    : directory.select().from(users).where(eq(users.id, owner.id));

/** What a user is called until the invitation is accepted. */
const nameOfAddress = (email: string) => email.split('@')[0] ?? email;

/** The mail to the owner. Who makes a store for themselves gets none. */
async function tellOwner(
  deed: DeedContext,
  { name, owner, language }: CheckedStore,
  storeId: SQL<number>,
): Promise<readonly Statement[]> {
  if (owner.id === undefined) {
    const request = { kind: 'store', role: 'owner', email: owner.email, language } as const;
    return (await invite(deed, { ...request, storeId, storeName: name })).statements;
  }
  if (owner.id === deed.actor.userId) return [];
  const mail = await prepareMail(deed.settings, {
    kind: 'store_made',
    language,
    data: { store: name, by: deed.actor.name },
  });
  return [insertMailToUser(deed.directory, mail, owner.id, deed.now)];
}

/** Under which new stores get the address of their shop. */
const shopDomain = ({ isLocal, linkOrigin }: Settings) =>
  isLocal ? 'loja.test' : new URL(linkOrigin).hostname;
