import { env } from 'cloudflare:workers';

/** KV namespaces that fail in different ways. */
export const kvMisbehaviours = {
  empty: { get: () => Promise.resolve(null), put: () => Promise.resolve() },
  garbage: { get: () => Promise.resolve('\u0000{"clientId":1'), put: () => Promise.resolve() },
  'a record of another grant': {
    get: () => Promise.resolve(foreignRecord),
    put: () => Promise.resolve(),
  },
  'throwing 429': {
    get: () => Promise.reject(new Error('KV GET failed: 429 Too Many Requests')),
    put: () => Promise.reject(new Error('KV PUT failed: 429 Too Many Requests')),
  },
  'seconds late': {
    get: async (key: string) => later(env.GRANTS.get(key)),
    put: async (key: string, value: string) => later(env.GRANTS.put(key, value)),
  },
  'never answering': {
    get: () => new Promise(() => undefined),
    put: () => new Promise(() => undefined),
  },
};

const foreignRecord = 'v1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

async function later<T>(work: Promise<T>): Promise<T> {
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  return work;
}
