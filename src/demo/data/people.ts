/**
 * The users, stores and API keys of the demo. They are constant, so that scripts can use them, and public, so only
 * a local configuration contains them.
 */
export const demoUsers = [
  { email: 'ana@demo.test', name: 'Ana Conceição' },
  { email: 'bruno@demo.test', name: 'Bruno Araújo' },
  { email: 'paula@demo.test', name: 'Paula Prado' },
] as const;

/** The shards are fixed, so that the ids of the store `demo` stay small. */
export const demoStores = [
  {
    alias: 'demo',
    shard: 0,
    name: 'Empório Ipê',
    owner: 'ana@demo.test',
    active: true,
    test: true,
  },
  {
    alias: 'closed',
    shard: 0,
    name: 'Empório Ipê Antigo',
    owner: 'ana@demo.test',
    active: false,
    test: true,
  },
  {
    alias: 'outlet',
    shard: 1,
    name: 'Outlet do Bruno',
    owner: 'bruno@demo.test',
    active: true,
    test: true,
  },
  {
    alias: 'bancada',
    shard: 0,
    name: 'Bancada da Paula',
    owner: 'paula@demo.test',
    active: true,
    test: true,
  },
] as const;

/** A partner who also manages another owner's store, and so chooses between two stores at consent. */
export const demoManager = { email: 'paula@demo.test', alias: 'outlet' } as const;

export const demoApiKeys = [
  { owner: 'ana@demo.test', token: 'demo-user-token', secret: 'sk_demo_secret_key' },
  { owner: 'bruno@demo.test', token: 'outlet-user-token', secret: 'sk_outlet_secret_key' },
] as const;
