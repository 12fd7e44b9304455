// Compiled by `package.test.ts` in a project that has the built package: how programs use its
// types.
import {
  ApiError,
  client,
  oauthApp,
  webhooks,
  type AppDelivery,
  type Brand,
  type KeptAuthorization,
  type Order,
  type TokenStore,
  type WebhookEvent,
} from 'online-store-administration-client';

const shop = client({ store: 'demo', apiKey: { token: 'a', secret: 'b' } });

const brand: Brand = await shop.brands.create({ name: 'Sol', active: true });
const created: Date = brand.created_at;
const { data, etag }: { data: Brand; etag: string | undefined } = await shop.brands
  .show(brand.id)
  .withResponse();
await shop.brands.update(data.id, { name: 'Sol', active: false }, { ifMatch: etag ?? '*' });
const nothing: void = await shop.brands.delete(brand.id, { idempotencyKey: 'key' });

// Requests are checked.
// @ts-expect-error -- name is missing
await shop.brands.create({ active: true });
// @ts-expect-error -- no such field
await shop.brands.create({ name: 'Sol', active: true, colour: 'red' });
// @ts-expect-error -- the id is a number
await shop.brands.show('1');
// @ts-expect-error -- no such relation
shop.orders.list({ include: ['brand'] });
// @ts-expect-error -- either an API key or OAuth
client({ store: 'demo' });
await shop.orders.update(1, { date_delivery: new Date() });
await shop.orders.update(1, { date_delivery: '2031-03-05 09:04:07' });
await shop.orders.update(1);

for await (const order of shop.orders.list({ status: ['paid'], include: ['items'] })) {
  const total: number = order.value_total;
  const quantity: number | undefined = order.items?.data[0]?.quantity;
  void [total, quantity];
}
const page = await shop.orders.list({ limit: 50 }).page();
const [count, next]: [number, { data: Order[] } | undefined] = [
  page.meta.pagination.total,
  await page.next(),
];

// A file of products that was exported can be imported again.
const job = await shop.imports.create(shop.exports.download(1));
await shop.imports.create([], { query: { product_events: false }, timeoutMs: 60_000 });
await shop.imports.wait(job.id, { onProgress: ({ done, total }) => void (done / total) });

// Events are a union by name.
const describe = (event: WebhookEvent): string => {
  if (event.event === 'order.paid') return event.resource.value_total.toFixed(2);
  return event.event === 'product.inventory.updated'
    ? String(event.resource.quantity)
    : event.time.toISOString();
};
const verified = await webhooks.verify(new Request('https://app.test'), ['whsec_a', 'whsec_b']);
for await (const event of shop.events.list({ event: ['order.paid'] })) {
  if (event.event === 'order.paid') event.resource.value_total.toFixed(2);
}

// An app keeps its tokens where it likes.
declare const tokenStore: TokenStore;
const app = oauthApp({ clientId: 'app', redirectUri: 'https://app.test/callback', tokenStore });
const { url, kept }: { url: string; kept: KeptAuthorization } = await app.authorizeUrl();
const { store, scopes } = await app.exchange(url, kept);
const name: string = (await app.client(store, { strict: true }).brands.show(1)).name;
const appEvent: AppDelivery = await webhooks.verifyAppEvent(
  new Request('https://app.test'),
  'whsec_a',
);
if (appEvent.event === 'app.disconnected') void appEvent.resource.reason;
// @ts-expect-error -- either tokens or a store of tokens
client({ store: 'demo', oauth: { clientId: 'app' } });

// Errors are typed by code.
const failure: unknown = undefined;
if (failure instanceof ApiError) {
  if (failure.code === 'rate_limited') void failure.headers?.get('Retry-After');
  // @ts-expect-error -- no such code
  if (failure.code === 'no_such_code') void failure.hint;
}
void [created, nothing, count, next, describe, verified, scopes, name];
