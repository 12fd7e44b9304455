/** What an isolate read and believes for a while. Beyond its capacity the oldest entry goes. */
export class Believed<T> {
  readonly #lifetimeMs: number;
  readonly #capacity: number;
  readonly #entries = new Map<string, { value: T; until: number }>();

  constructor(lifetimeMs: number, capacity: number) {
    this.#lifetimeMs = lifetimeMs;
    this.#capacity = capacity;
  }

  /** The entry, unless its time is over. */
  get(key: string, now: number): { value: T } | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.until > now) return entry;
    this.#entries.delete(key);
    return undefined;
  }

  set(key: string, value: T, now: number): void {
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size < this.#capacity) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, until: now + this.#lifetimeMs });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  /** Forgets every entry whose value is meant. */
  forget(isMeant: (value: T) => boolean): void {
    for (const [key, { value }] of this.#entries) {
      if (isMeant(value)) this.#entries.delete(key);
    }
  }
}
