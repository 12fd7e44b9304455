import { client } from 'online-store-administration-client';

const shop = client({
  baseUrl: '{{origin}}',
  store: '{{store}}',
  apiKey: { token: '{{user_token}}', secret: '{{user_secret}}' },
});

let count = 0;
for await (const product of shop.products.list({ limit: 100, include: ['skus'] })) {
  console.log(`${product.id} ${product.name}`);
  count += 1;
}
console.log(`${count} products`);
