import { client } from 'online-store-administration-client';

// The client sends a key of its own with every write, keeps it when it retries, and waits as
// Retry-After says.
const shop = client({
  baseUrl: '{{origin}}',
  store: '{{store}}',
  apiKey: { token: '{{user_token}}', secret: '{{user_secret}}' },
  timeoutMs: 30_000,
  retries: 4,
});

// A key that you store with your own record lets you go on even after your process was restarted.
const idempotencyKey = crypto.randomUUID();
const brand = await shop.brands.create({ name: 'Lua', active: true }, { idempotencyKey });
console.log(`Created brand ${brand.id}: ${brand.name}`);
