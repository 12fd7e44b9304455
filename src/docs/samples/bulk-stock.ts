import { client } from 'online-store-administration-client';

const shop = client({
  baseUrl: '{{origin}}',
  store: '{{store}}',
  apiKey: { token: '{{user_token}}', secret: '{{user_secret}}' },
});

const items = [
  { sku: 'CAFE-GRAO-250', quantity: 40 },
  { sku: 'NO-SUCH-SKU', quantity: 5 },
];
const callSize = 500; // The most that one call takes.
for (let start = 0; start < items.length; start += callSize) {
  const part = items.slice(start, start + callSize);
  const results = await shop.bulkChanges.changeStocks({ items: part });
  for (const { index, status, errors } of results) {
    console.log(part[index]?.sku, status, errors === undefined ? '' : JSON.stringify(errors));
  }
}
