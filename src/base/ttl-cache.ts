/** A cache in the memory of one isolate. Entries expire after `ttlMs`; beyond `capacity` the oldest entry is evicted. */
export class TtlCache<T> {
  readonly #ttlMs: number;
  readonly #capacity: number;
  readonly #entries = new Map<string, { value: T; expiresAt: number }>();

  constructor(ttlMs: number, capacity: number) {
    this.#ttlMs = ttlMs;
    this.#capacity = capacity;
  }

  /** Returns the entry unless it has expired. `now` is epoch milliseconds. The value itself may be `undefined`. */
  get(key: string, now: number): { value: T } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expiresAt > now) return entry;
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

  /** Deletes every entry whose value matches. */
  deleteWhere(matches: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (matches(value)) this.#entries.delete(key);
    }
  }
}
