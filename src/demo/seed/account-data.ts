import { demoOperatorKey } from '../../client/operator/call-service.ts';

/**
 * The users, stores and API keys of the demo. They are constant, so that scripts can use them, and
 * public, so only a local configuration contains them.
 */
export const demoUsers = [
  { email: 'ana@demo.test', name: 'Ana Conceição' },
  { email: 'bruno@demo.test', name: 'Bruno Araújo' },
  { email: 'paula@demo.test', name: 'Paula Prado' },
  { email: 'vera@demo.test', name: 'Vera Vidal' },
  { email: 'olga@demo.test', name: 'Olga Oliveira', super_user: true },
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

/**
 * Members of stores of others: a partner who also manages another owner's store, and so chooses
 * between two stores at consent; and a viewer.
 */
export const demoMembers = [
  { email: 'paula@demo.test', alias: 'outlet', role: 'manager' },
  { email: 'vera@demo.test', alias: 'demo', role: 'viewer' },
] as const;

export const demoApiKeys = [
  { owner: 'ana@demo.test', token: 'demo-user-token', secret: 'sk_demo_secret_key' },
  { owner: 'bruno@demo.test', token: 'outlet-user-token', secret: 'sk_outlet_secret_key' },
  {
    owner: 'olga@demo.test',
    ...demoOperatorKey,
    isForOperators: true,
  },
] as const;
