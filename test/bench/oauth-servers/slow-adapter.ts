import type { Adapter, AdapterPayload } from 'oidc-provider';

const records = new Map<string, AdapterPayload>();

/** Waits as long as a round trip to a nearby database takes. */
const roundTrip = () => new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 3));

/** In-memory storage for oidc-provider, with the latency of a database. */
export class SlowAdapter implements Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload) {
    await roundTrip();
    records.set(`${this.#kind}:${id}`, payload);
  }

  async find(id: string) {
    await roundTrip();
    const found = records.get(`${this.#kind}:${id}`);
    return found && { ...found };
  }

  findByUid = () => Promise.resolve(undefined);
  findByUserCode = () => Promise.resolve(undefined);

  async consume(id: string) {
    await roundTrip();
    const found = records.get(`${this.#kind}:${id}`);
    if (found) found.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string) {
    await roundTrip();
    records.delete(`${this.#kind}:${id}`);
  }

  async revokeByGrantId(grantId: string) {
    await roundTrip();
    for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
  }
}
