/** A store as the directory stores it. */
export interface Store {
  id: number;
  alias: string;
  shard: number;
  /** IANA time zone in which all times of this store are shown. */
  zone: string;
  /** Address of the shop, without a trailing slash. */
  base_url: string;
  active: boolean;
  /** In a test store payments may be simulated. */
  test: boolean;
  /**
   * Requests that all its callers may send in a minute; null or absent for the limit of the
   * service.
   */
  requests_per_minute?: number | null;
  /** Its members must have a second factor. */
  mfa_required?: boolean;
}

/**
 * A store with what else its shard copies: the version of the directory that it was read at, and
 * its own event budget.
 */
export type KnownStore = Store & { version: number; event_budget: number | null };

/** The part of a store handle that statements in plain SQL need. */
export interface StoreScope {
  readonly store: Store;
  /** Time of the request in epoch milliseconds; all writes of the handle carry it. */
  readonly now: number;
}
