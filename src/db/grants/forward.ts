import { sql } from 'drizzle-orm';
import { answered } from '../answered.ts';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthEvents, oauthGrants } from '../schema/grants.ts';
import { steadily } from '../steadily.ts';
import type { SteppedGrant } from './advance.ts';
import { revoking } from './revoking.ts';
import { isOfGrant, type Step } from './step.ts';

/** A refresh token that did not move its chain, and when it ends by its own word (epoch milliseconds). */
export type LateStep = Step & { expiresAt: number };

/**
 * Whether a restored database may have set the grant back behind the refresh token that was presented: the token is not
 * the head, the head is not later, and the time for making that good has not run out.
 */
export const isSetBack = (grant: SteppedGrant | undefined, { generation, now }: LateStep) =>
  grant !== undefined &&
  now < (grant.forward_until ?? 0) &&
  grant.isHead === 0 &&
  grant.generation <= generation;

/**
 * Makes a refresh token the head of a grant that was set back (oauth 3.8): a later generation under our MAC shows that
 * the chain had come so far. Once for each restore, recorded as an event. A head of the same generation was made out of
 * a spent token that the restore brought back to life: of the two one is a thief's, so the grant ends. One batch, which
 * may run twice.
 */
export async function forward(shard: Shard, step: LateStep): Promise<void> {
  const { generation, presented, expiresAt, grantId, now } = step;
  const mayMove = sql`${isOfGrant(step)} and forward_until > ${now}`;
  await steadily(() =>
    answered(
      shard.batch([
        ...revoking(
          shard,
          sql`${mayMove} and generation = ${generation} and current_hash <> ${presented}`,
          'refresh token reused',
          now,
        ),
        plainStatement(
          shard,
          sql`update ${oauthGrants} set generation = ${generation}, current_hash = ${presented},
              previous_hash = null, sealed = null, expires_at = ${expiresAt}, forward_until = null
            where ${mayMove} and generation < ${generation} and ${expiresAt} > ${now}`,
        ),
        plainStatement(
          shard,
          sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
            select id, store_id, client_id, 'grant_forwarded', ${now} from ${oauthGrants}
            where id = ${grantId} and changes() > 0`,
        ),
      ]),
    ),
  );
}
