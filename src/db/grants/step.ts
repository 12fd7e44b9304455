import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { lifetimes } from '../../lifetimes.ts';

/** An attempt to move a chain by one: a code or refresh token was presented, its successor is made already. */
export interface Step {
  grantId: string;
  clientId: string;
  /** Of what was presented; 0 for a code. */
  generation: number;
  /** SHA-256 of what was presented. */
  presented: string;
  /** SHA-256 of the successor, which names this attempt. */
  successor: string;
  /** The successor, encrypted under what was presented. */
  sealed: string;
  /** Bits that were asked for; 0 asks for all. */
  scopes: number;
  /** Only for a code: what the verifier and the redirect URI hash to. */
  proof: { challenge: string; redirectHash: string } | undefined;
  now: number;
}

/** The row is the grant that the step is about. */
export const isOfGrant = ({ grantId, clientId }: Step) =>
  sql`id = ${grantId} and client_id = ${clientId} and revoked_at is null`;

// Bit 2n is a read, bit 2n + 1 the write that includes it (`access/scopes`).
const everyRead = 0x155555;

/** The scopes asked for are within the grant. */
export const isWithinScopes = ({ scopes }: Step) =>
  sql`(${scopes} & ~(scopes | ((scopes >> 1) & ${everyRead}))) = 0`;

/** The presented refresh token is the one before the head: its answer may have been lost. */
const isParentOfHead = ({ generation, presented }: Step) =>
  sql`${generation} > 0 and generation = ${generation} + 1 and previous_hash = ${presented}`;

/** It came within 120 seconds: the same answer again, which costs nothing. */
export const isHotRetry = (step: Step): SQL =>
  sql`(${isParentOfHead(step)} and ${step.now} - rotated_at <= ${lifetimes.hotRetry})`;

/** It came later, within a day, and there are late retries left. */
export const isLateRetry = (step: Step): SQL =>
  sql`(${isParentOfHead(step)} and ${step.now} - rotated_at > ${lifetimes.hotRetry}
    and ${step.now} - rotated_at <= ${lifetimes.lateRetry} and budget > 0)`;
