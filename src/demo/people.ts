/**
 * The people, stores and header pairs of the demo. Constant, so that anyone can script against them, and known
 * to everyone: only a local configuration takes them.
 */
export const people = [
  { email: 'ana@demo.test', name: 'Ana Conceição' },
  { email: 'bruno@demo.test', name: 'Bruno Araújo' },
] as const;

// Passwords come with the table that keeps them: `demo-password-ana` and `demo-password-bruno`. A header
// pair needs none.

export const demoStores = [
  { alias: 'demo', name: 'Empório Ipê', owner: 'ana@demo.test', active: true, test: true },
  {
    alias: 'closed',
    name: 'Empório Ipê Antigo',
    owner: 'ana@demo.test',
    active: false,
    test: true,
  },
  { alias: 'outlet', name: 'Outlet do Bruno', owner: 'bruno@demo.test', active: true, test: true },
] as const;

export const pairs = [
  { owner: 'ana@demo.test', token: 'demo-user-token', secret: 'sk_demo_secret_key' },
  { owner: 'bruno@demo.test', token: 'outlet-user-token', secret: 'sk_outlet_secret_key' },
] as const;
