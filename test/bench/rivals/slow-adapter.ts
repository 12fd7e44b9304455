import type { Adapter, AdapterPayload } from 'oidc-provider';

const records = new Map<string, AdapterPayload>();

/** As long as a database in the same place takes. */
const trip = () => new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 3));

/** Storage for oidc-provider as its documentation asks for it, a round trip away like every real one. */
export class SlowAdapter implements Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload) {
    await trip();
    records.set(`${this.#kind}:${id}`, payload);
  }

  async find(id: string) {
    await trip();
    const found = records.get(`${this.#kind}:${id}`);
    return found && { ...found };
  }

  findByUid = () => Promise.resolve(undefined);
  findByUserCode = () => Promise.resolve(undefined);

  async consume(id: string) {
    await trip();
    const found = records.get(`${this.#kind}:${id}`);
    if (found) found.consumed = Math.floor(Date.now() / 1_000);
  }

  async destroy(id: string) {
    await trip();
    records.delete(`${this.#kind}:${id}`);
  }

  async revokeByGrantId(grantId: string) {
    await trip();
    for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
  }
}
