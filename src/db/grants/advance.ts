import { sql } from 'drizzle-orm';
import { lifetimes } from '../../lifetimes.ts';
import { answered } from '../answered.ts';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { oauthEvents, oauthGrants } from '../schema/grants.ts';
import { steadily } from '../steadily.ts';
import { revoking } from './revoking.ts';
import { isHotRetry, isLateRetry, isOfGrant, isWithinScopes, type Step } from './step.ts';

/** A grant after a step, with what the database says of hashes, which are never compared here. */
export type SteppedGrant = typeof oauthGrants.$inferSelect & {
  /** The successor of this attempt is the head. */
  isOurs: 0 | 1;
  /** What was presented is the head. */
  isHead: 0 | 1;
  isHotRetry: 0 | 1;
  isWithinScopes: 0 | 1;
  /** For a code: what was sent with it is what the consent was given for. */
  isVerified: 0 | 1;
  isSameRedirect: 0 | 1;
};

/** What a step came to. */
export interface Stepped {
  grant: SteppedGrant | undefined;
  /** This attempt moved the chain; its successor is the only one of its generation. */
  isWon: boolean;
  /** A late retry that the grant had left. */
  isRecovered: boolean;
}

/**
 * Redeems a code or refreshes a token in one batch. Batches on the database of a shard are serial; the claim
 * needs `generation` to be the presented one and raises it, and no statement lowers it: of all claims on a
 * generation at most one ever succeeds. A token of the next generation leaves the server only from that claim
 * or from `sealed`, which the same statement wrote. So there is at most one successor, whatever the
 * interleaving, place or retry.
 *
 * After a lost connection it runs again without the statement that takes a second use for theft: what it
 * would see may be this attempt's own commit, known by its successor.
 */
export async function advance(shard: Shard, step: Step): Promise<Stepped> {
  return steadily(async (attempt) => {
    const [claimed, recovered, rows] = await answered(
      attempt === 1 ? firstAttempt(shard, step) : repeated(shard, step),
    );
    const [grant] = rows;
    return {
      grant,
      isWon: claimed.length > 0 || grant?.isOurs === 1,
      isRecovered: recovered.length > 0,
    };
  });
}

async function firstAttempt(shard: Shard, step: Step) {
  const [claimed, , , , recovered, , rows] = await shard.batch([
    claim(shard, step),
    ...endingOnReuse(shard, step),
    spendLateRetry(shard, step),
    recordRecovery(shard, step),
    read(shard, step),
  ]);
  return [claimed, recovered, rows] as const;
}

async function repeated(shard: Shard, step: Step) {
  const [claimed, recovered, , rows] = await shard.batch([
    claim(shard, step),
    spendLateRetry(shard, step),
    recordRecovery(shard, step),
    read(shard, step),
  ]);
  return [claimed, recovered, rows] as const;
}

/** The only statement that moves a chain. */
function claim(shard: Shard, step: Step) {
  const { generation, presented, successor, sealed, proof, now } = step;
  const isProven = proof
    ? sql`challenge = ${proof.challenge} and redirect_hash = ${proof.redirectHash}
        and code_expires_at > ${now}`
    : sql`1`;
  return plainStatement<{ id: string }>(
    shard,
    sql`update ${oauthGrants} set generation = generation + 1, previous_hash = current_hash,
        current_hash = ${successor}, sealed = ${sealed}, rotated_at = ${now},
        expires_at = ${now + lifetimes.refreshToken}
      where ${isOfGrant(step)} and generation = ${generation} and current_hash = ${presented}
        and expires_at > ${now} and ${isWithinScopes(step)} and ${isProven}
      returning id`,
  );
}

/**
 * A spent token that is no allowed retry was copied, so the whole family ends. A code ends it only with the
 * right verifier: whoever has a code alone must not be able to disconnect a merchant.
 */
function endingOnReuse(shard: Shard, step: Step) {
  const { generation, successor, proof, now } = step;
  const isReuse = proof
    ? sql`challenge = ${proof.challenge}`
    : sql`not ${isHotRetry(step)} and not ${isLateRetry(step)}`;
  return revoking(
    shard,
    sql`${isOfGrant(step)} and current_hash <> ${successor} and generation > ${generation} and ${isReuse}`,
    proof ? 'code replayed' : 'refresh token reused',
    now,
  );
}

function spendLateRetry(shard: Shard, step: Step) {
  return plainStatement<{ id: string }>(
    shard,
    sql`update ${oauthGrants} set budget = budget - 1
      where ${isOfGrant(step)} and current_hash <> ${step.successor} and expires_at > ${step.now}
        and ${isWithinScopes(step)} and ${isLateRetry(step)}
      returning id`,
  );
}

function recordRecovery(shard: Shard, { grantId, now }: Step) {
  return plainStatement(
    shard,
    sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
      select id, store_id, client_id, 'refresh_recovered', ${now} from ${oauthGrants}
      where id = ${grantId} and changes() > 0`,
  );
}

function read(shard: Shard, step: Step) {
  const { grantId, presented, successor, proof } = step;
  return plainStatement<SteppedGrant>(
    shard,
    sql`select *, current_hash = ${successor} as "isOurs", current_hash = ${presented} as "isHead",
        ${isHotRetry(step)} as "isHotRetry", ${isWithinScopes(step)} as "isWithinScopes",
        challenge = ${proof?.challenge ?? ''} as "isVerified",
        redirect_hash = ${proof?.redirectHash ?? ''} as "isSameRedirect"
      from ${oauthGrants} where id = ${grantId}`,
  );
}
