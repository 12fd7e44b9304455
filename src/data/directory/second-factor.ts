import { sql, type SQL, type SQLWrapper } from 'drizzle-orm';
import { passkeys, secondFactors } from '../schema/directory/credentials-tables.ts';
import { stores, users } from '../schema/directory/directory-tables.ts';

/**
 * When the first of a user's present factors was set up, an authenticator app or a passkey; null
 * without one. What was proved before that was proved by a factor that is gone.
 */
export const factorSince = (userId: number | SQLWrapper): SQL =>
  sql`(select min(created_at) from (
    select created_at from ${secondFactors} where user_id = ${userId}
    union all select created_at from ${passkeys} where user_id = ${userId}))`;

/**
 * The condition over `stores` and `users` that the store requires a second factor, and the user has
 * none: 1, 0, or null without a store.
 */
export const lacksFactor = sql<0 | 1 | null>`(${stores.mfa_required} and not ${users.mfa_enabled})`;
