/**
 * A cache in the memory of one isolate. Entries expire after `ttlMs`; beyond `capacity` the oldest
 * entry is evicted.
 */
export class TtlCache<T> {
  readonly #ttlMs: number;
  readonly #graceMs: number;
  readonly #capacity: number;
  readonly #entries = new Map<string, { value: T; expiresAt: number }>();

  /** An entry that has expired is kept for `graceMs` more, for {@link getStale}. */
  constructor(ttlMs: number, capacity: number, graceMs = 0) {
    this.#ttlMs = ttlMs;
    this.#graceMs = graceMs;
    this.#capacity = capacity;
  }

  /**
   * Returns the entry unless it has expired. `now` is epoch milliseconds. The value itself may be
   * `undefined`.
   */
  get(key: string, now: number): { value: T } | undefined {
    const entry = this.getStale(key, now);
    return entry && entry.expiresAt > now ? entry : undefined;
  }

  /** Returns the entry also while it is kept after it has expired. */
  getStale(key: string, now: number): { value: T; expiresAt: number } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expiresAt + this.#graceMs > now) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, now: number): void {
    // A new value is as young as a new entry, and replaces one instead of evicting another.
    this.#entries.delete(key);
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#capacity) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, expiresAt: now + this.#ttlMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** The values, also of entries that have expired. */
  *values(): Iterable<T> {
    for (const { value } of this.#entries.values()) yield value;
  }

  /** Deletes every entry that matches. */
  deleteWhere(matches: (value: T, key: string) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (matches(value, key)) this.#entries.delete(key);
    }
  }
}
