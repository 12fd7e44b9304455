import { type AcquiredLeases, type LeaseOptions, type LeaseRequest } from '../lease/acquire.ts';
import { findStopped } from '../lease/active-check.ts';
import type { LeasedEndpoint } from '../lease/leased-endpoint.ts';
import { claimMore, type ClaimOptions } from '../lease/share.ts';
import type { CompletedAttempt } from './apply-result.ts';
import { acquireSendableLeases } from './unverified-endpoints.ts';
import { writeResults, type ReleasedEndpoint } from './write-results.ts';

/** A database with endpoints and their deliveries, as a run uses it: a shard, or the directory for the webhooks of apps. */
export interface EndpointSource {
  /** Where the checks of hosts are kept. No two sources of a run have the same. */
  readonly shard: number;
  /** Leases endpoints with their due deliveries. Never rejects. */
  acquire: (options: LeaseOptions) => Promise<AcquiredLeases>;
  /** Returns the ids of those endpoints that must get nothing more. Rejects when the database fails. */
  findStopped: (endpoints: readonly LeasedEndpoint[]) => Promise<ReadonlySet<number>>;
  /** Shares the lease of an endpoint or claims more of it; returns how many deliveries remain. Never rejects. */
  claimMore: (endpoint: LeasedEndpoint, options: ClaimOptions) => Promise<number>;
  /** Writes results, and releases the endpoints in `releasing`. A repetition changes nothing. Rejects when the database fails. */
  write: (
    attempts: readonly CompletedAttempt[],
    releasing: readonly LeasedEndpoint[],
    now: number,
  ) => Promise<ReleasedEndpoint[]>;
}

/** The endpoints of a shard that a request names. */
export const shardSource = (request: LeaseRequest): EndpointSource => ({
  shard: request.shard,
  acquire: (options) => acquireSendableLeases(request, options),
  findStopped: (endpoints) => findStopped(request.db, endpoints),
  claimMore: (endpoint, options) => claimMore(request.db, endpoint, options),
  write: (...results) => writeResults(request.db, ...results),
});
