/**
 * The people, stores and header pairs of the demo. Constant, so that anyone can script against them, and known
 * to everyone: only a local configuration takes them.
 */
export const people = [
  { email: 'ana@demo.test', name: 'Ana Conceição' },
  { email: 'bruno@demo.test', name: 'Bruno Araújo' },
  { email: 'paula@demo.test', name: 'Paula Prado' },
] as const;

export const demoStores = [
  { alias: 'demo', name: 'Empório Ipê', owner: 'ana@demo.test', active: true },
  { alias: 'closed', name: 'Empório Ipê Antigo', owner: 'ana@demo.test', active: false },
  { alias: 'outlet', name: 'Outlet do Bruno', owner: 'bruno@demo.test', active: true },
  { alias: 'bancada', name: 'Bancada da Paula', owner: 'paula@demo.test', active: true },
] as const;

/** Who manages a store of somebody else, and so has two to choose from. */
export const demoManager = { email: 'paula@demo.test', alias: 'outlet' } as const;

export const pairs = [
  { owner: 'ana@demo.test', token: 'demo-user-token', secret: 'sk_demo_secret_key' },
  { owner: 'bruno@demo.test', token: 'outlet-user-token', secret: 'sk_outlet_secret_key' },
] as const;
