import { client } from 'online-store-administration-client';

const shop = client({
  baseUrl: '{{origin}}',
  store: '{{store}}',
  apiKey: { token: '{{user_token}}', secret: '{{user_secret}}' },
});

const brand = await shop.brands.create({ name: 'Sol', active: true });
console.log(`Created brand ${brand.id}: ${brand.name}`);
