import { sql, type SQL } from 'drizzle-orm';
import { authLifetimes } from '../../base/auth-lifetimes.ts';
import type { Database } from '../core/open-database.ts';
import { rawDatabaseStatement } from '../core/raw.ts';
import { retryTransient } from '../core/retry-contention.ts';
import { oauthEvents, oauthGrants } from '../schema/store/grants-tables.ts';
import { revokeStatements } from './add-and-revoke.ts';
import { assertGrantPlaced, coversScopeBits } from './grant-conditions.ts';

/**
 * An attempt to rotate a grant: an authorization code or refresh token was presented, and its
 * successor exists already.
 */
export interface RotationAttempt {
  grantId: string;
  clientId: string;
  /** Generation of the presented token; 0 for a code. */
  generation: number;
  /** SHA-256 of the presented token. */
  presentedHash: string;
  /** SHA-256 of the successor; it identifies this attempt. */
  successorHash: string;
  /** The successor, encrypted under the presented token. */
  encryptedSuccessor: string;
  /** The requested scopes as bits; 0 requests all scopes of the grant. */
  scopes: number;
  /** The resource that the request names; `undefined` names none. */
  resource: 'mcp' | undefined;
  /** How long the successor lives, in milliseconds. */
  lifetime: number;
  /** For a code only: the digests of the PKCE verifier and of the redirect URI, if that matters. */
  proof: { challenge: string; redirectHash: string | undefined } | undefined;
  /** Epoch milliseconds. */
  now: number;
}

/** The condition that a row is the grant of the attempt, and is not revoked. */
export const matchesGrant = ({ grantId, clientId }: RotationAttempt) =>
  sql`id = ${grantId} and client_id = ${clientId} and revoked_at is null`;

/** The condition that the requested scopes are within those of the grant. */
const isWithinScopes = ({ scopes }: RotationAttempt) => coversScopeBits(scopes);

/** The condition that the grant has the resource that the request names, if it names one. */
const isForResource = ({ resource }: RotationAttempt) =>
  resource === undefined ? sql`1` : sql`resource is ${resource}`;

/**
 * The condition that a code is redeemed with the redirect URI of its consent, where that matters.
 */
const isSameRedirect = ({ proof }: RotationAttempt) =>
  proof?.redirectHash === undefined ? sql`1` : sql`redirect_hash = ${proof.redirectHash}`;

/**
 * The condition that the presented refresh token is the one before the current token: its response
 * may have been lost.
 */
const isPrevious = ({ generation, presentedHash }: RotationAttempt) =>
  sql`${generation} > 0 and generation = ${generation} + 1 and previous_hash = ${presentedHash}`;

/** A retry within `retryWindow`: gets the same response again and is not counted. */
const isHotRetry = (attempt: RotationAttempt): SQL =>
  sql`(${isPrevious(attempt)} and ${attempt.now} - rotated_at <= ${authLifetimes.retryWindow})`;

/** A retry after that and within `lateRetryWindow`, while the grant has late retries left. */
const isLateRetry = (attempt: RotationAttempt): SQL =>
  sql`(${isPrevious(attempt)} and ${attempt.now} - rotated_at > ${authLifetimes.retryWindow}
    and ${attempt.now} - rotated_at <= ${authLifetimes.lateRetryWindow} and late_retries_left > 0)`;

/**
 * A grant after an attempt. The database compares the hashes, so that no hash is compared in the
 * Worker.
 */
export type RotatedGrant = typeof oauthGrants.$inferSelect & {
  /** The successor of this attempt is the current token. */
  isOurs: 0 | 1;
  /** The presented token is the current token. */
  isCurrent: 0 | 1;
  isHotRetry: 0 | 1;
  isWithinScopes: 0 | 1;
  /** For a code: the PKCE verifier is the one of the consent. */
  isVerified: 0 | 1;
  /** For a code: the redirect URI is the one of the consent. */
  isSameRedirect: 0 | 1;
};

/** The outcome of an attempt. */
export interface RotationResult {
  grant: RotatedGrant | undefined;
  /** This attempt rotated the grant; its successor is the only token of its generation. */
  isRotated: boolean;
  /** This attempt was a late retry, and used one of those that remained to the grant. */
  isRecovered: boolean;
}

/**
 * Redeems a code or refreshes a token, in one batch.
 *
 * D1 runs the batches of a shard one after another. The rotation requires `generation` to be the
 * presented one and increments it. Only `takeBackRedemption` decrements it, whose tokens never left
 * the server. So at most one rotation of each generation succeeds. A token of the next generation
 * leaves the server only from that rotation, or from `encrypted_successor`, which the same
 * statement wrote. So there is at most one successor, whatever requests run in parallel or are
 * repeated.
 *
 * A shard that the store has left, or is leaving, rotates nothing.
 *
 * After a transient failure the batch runs again without the statement that takes a second use for
 * theft. It could see the commit of this very attempt, which is recognised by its successor.
 */
export async function rotateGrant(
  shard: Database,
  attempt: RotationAttempt,
): Promise<RotationResult> {
  return retryTransient(async (count) => {
    const [rotated, recovered, rows] = await (count === 1
      ? runFirst(shard, attempt)
      : runAgain(shard, attempt));
    const [grant] = rows;
    return {
      grant,
      isRotated: rotated.length > 0 || grant?.isOurs === 1,
      isRecovered: recovered.length > 0,
    };
  });
}

async function runFirst(shard: Database, attempt: RotationAttempt) {
  const [, rotated, , , , , recovered, , rows] = await shard.batch([
    assertGrantPlaced(shard, attempt.grantId),
    rotateStatement(shard, attempt),
    ...revokeOnReuseStatements(shard, attempt),
    spendLateRetryStatement(shard, attempt),
    recordRecoveryStatement(shard, attempt),
    selectGrantStatement(shard, attempt),
  ]);
  return [rotated, recovered, rows] as const;
}

async function runAgain(shard: Database, attempt: RotationAttempt) {
  const [, rotated, recovered, , rows] = await shard.batch([
    assertGrantPlaced(shard, attempt.grantId),
    rotateStatement(shard, attempt),
    spendLateRetryStatement(shard, attempt),
    recordRecoveryStatement(shard, attempt),
    selectGrantStatement(shard, attempt),
  ]);
  return [rotated, recovered, rows] as const;
}

/** The only statement that rotates a grant. */
function rotateStatement(shard: Database, attempt: RotationAttempt) {
  const { generation, presentedHash, successorHash, encryptedSuccessor, proof, lifetime, now } =
    attempt;
  const isProven = proof
    ? sql`challenge = ${proof.challenge} and ${isSameRedirect(attempt)} and code_expires_at > ${now}`
    : sql`1`;
  return rawDatabaseStatement<{ id: string }>(
    shard,
    sql`update ${oauthGrants} set generation = generation + 1, previous_hash = current_hash,
        current_hash = ${successorHash}, encrypted_successor = ${encryptedSuccessor},
        rotated_at = ${now}, expires_at = ${now + lifetime}
      where ${matchesGrant(attempt)} and generation = ${generation} and current_hash = ${presentedHash}
        and expires_at > ${now} and ${isWithinScopes(attempt)} and ${isForResource(attempt)} and ${isProven}
      returning id`,
  );
}

/**
 * A spent token that is not an allowed retry was copied, so the grant is revoked. For a code the
 * PKCE verifier must match too: with a code only, an attacker must not be able to disconnect a
 * merchant.
 */
function revokeOnReuseStatements(shard: Database, attempt: RotationAttempt) {
  const { generation, successorHash, proof, now } = attempt;
  const isReuse = proof
    ? sql`challenge = ${proof.challenge}`
    : sql`not ${isHotRetry(attempt)} and not ${isLateRetry(attempt)}`;
  return revokeStatements(
    shard,
    sql`${matchesGrant(attempt)} and current_hash <> ${successorHash}
      and generation > ${generation} and ${isReuse}`,
    proof ? 'code_replayed' : 'refresh_token_reused',
    now,
  );
}

function spendLateRetryStatement(shard: Database, attempt: RotationAttempt) {
  return rawDatabaseStatement<{ id: string }>(
    shard,
    sql`update ${oauthGrants} set late_retries_left = late_retries_left - 1
      where ${matchesGrant(attempt)} and current_hash <> ${attempt.successorHash}
        and expires_at > ${attempt.now} and ${isWithinScopes(attempt)} and ${isForResource(attempt)} and ${isLateRetry(attempt)}
      returning id`,
  );
}

/**
 * Takes back a redemption whose tokens never left the server, so that its code works again. Only
 * the request that made the successor can do this; a grant that was revoked meanwhile stays so. One
 * batch.
 */
export async function takeBackRedemption(
  shard: Database,
  {
    grantId,
    presentedHash,
    successorHash,
  }: Pick<RotationAttempt, 'grantId' | 'presentedHash' | 'successorHash'>,
): Promise<void> {
  await retryTransient(() =>
    shard.batch([
      assertGrantPlaced(shard, grantId),
      rawDatabaseStatement(
        shard,
        sql`update ${oauthGrants} set generation = 0, current_hash = ${presentedHash}, previous_hash = null,
              encrypted_successor = null, rotated_at = null, expires_at = code_expires_at
            where id = ${grantId} and generation = 1 and current_hash = ${successorHash} and revoked_at is null`,
      ),
    ]),
  );
}

function recordRecoveryStatement(shard: Database, { grantId, now }: RotationAttempt) {
  return rawDatabaseStatement(
    shard,
    sql`insert into ${oauthEvents} (grant_id, store_id, client_id, kind, at)
      select id, store_id, client_id, 'refresh_recovered', ${now} from ${oauthGrants}
      where id = ${grantId} and changes() > 0`,
  );
}

function selectGrantStatement(shard: Database, attempt: RotationAttempt) {
  const { grantId, presentedHash, successorHash, proof } = attempt;
  return rawDatabaseStatement<RotatedGrant>(
    shard,
    sql`select *, current_hash = ${successorHash} as "isOurs",
        current_hash = ${presentedHash} as "isCurrent",
        ${isHotRetry(attempt)} as "isHotRetry", ${isWithinScopes(attempt)} as "isWithinScopes",
        challenge = ${proof?.challenge ?? ''} as "isVerified",
        ${isSameRedirect(attempt)} as "isSameRedirect"
      from ${oauthGrants} where id = ${grantId}`,
  );
}
