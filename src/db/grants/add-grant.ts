import { sql } from 'drizzle-orm';
import { liveGrants } from '../../lifetimes.ts';
import { answered } from '../answered.ts';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthGrants } from '../schema/grants.ts';
import { steadily } from '../steadily.ts';
import { revoking } from './revoking.ts';

/** A grant as consent makes it: generation 0, an authorization code that nobody has redeemed. */
export type NewGrant = Required<
  Pick<
    typeof oauthGrants.$inferInsert,
    | 'id'
    | 'store_id'
    | 'merchant'
    | 'client_id'
    | 'user_id'
    | 'scopes'
    | 'challenge'
    | 'redirect_hash'
    | 'code_expires_at'
    | 'current_hash'
    | 'created_at'
  >
>;

/**
 * Adds a grant under the id that was chosen for it, unless that id is taken: the answer is whether this very
 * grant is stored. Beyond ten live grants of an app in a store the oldest ones are revoked. One batch, which
 * may run twice.
 */
export async function addGrant(shard: Shard, grant: NewGrant): Promise<boolean> {
  const { id, store_id, client_id, created_at: now } = grant;
  const older = sql`select id from ${oauthGrants}
    where store_id = ${store_id} and client_id = ${client_id} and revoked_at is null
      and expires_at > ${now} and id <> ${id}
    order by created_at desc limit -1 offset ${liveGrants - 1}`;
  const [, , , , rows] = await steadily(() =>
    answered(
      shard.batch([
        shard
          .insert(oauthGrants)
          .values({ ...grant, expires_at: grant.code_expires_at })
          .onConflictDoNothing(),
        ...revoking(shard, sql`id in (${older})`, 'too many grants', now),
        plainStatement<{ isOurs: 0 | 1 }>(
          shard,
          sql`select current_hash = ${grant.current_hash} as "isOurs" from ${oauthGrants} where id = ${id}`,
        ),
      ]),
    ),
  );
  return rows[0]?.isOurs === 1;
}
