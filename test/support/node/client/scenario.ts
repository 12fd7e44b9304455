/** The API key with which the demo answers the programs of a test. */
export const apiKey = { token: 'demo-user-token', secret: 'sk_demo_secret_key' };

let marks = 0;
/** A name that no other record has. */
export const mark = () => `Mark ${Date.now()} ${++marks}`;

/** Runs in each runtime: the calls that every program makes. Returns what it saw. */
export const scenario = `async ({ client, ApiError }, baseUrl, name) => {
  const startedAt = Date.now();
  const shop = client({ baseUrl, store: 'demo', apiKey: ${JSON.stringify(apiKey)} });
  const brand = await shop.brands.create({ name, active: true });
  const { data, etag } = await shop.brands.show(brand.id).withResponse();
  const unchanged = await shop.brands.show(brand.id, {}, { ifNoneMatch: etag }).catch((error) => error);
  await shop.brands.update(brand.id, { name, active: false }, { ifMatch: etag });
  const stale = await shop.brands.update(brand.id, { name, active: true }, { ifMatch: etag }).catch((error) => error);
  let names = 0;
  for await (const product of shop.products.list({ limit: 3, include: ['skus'] })) names += product.name ? 1 : 0;
  const others = Array.from({ length: 90 }, (_, index) => Number.MAX_SAFE_INTEGER - index);
  const search = 'id:' + [brand.id, ...others] + ';name:' + 'ã'.repeat(200);
  const long = { id: [brand.id, ...others], name, search, searchJoin: 'or', searchFields: 'id:in' };
  const found = await shop.brands.list(long).all();
  const deleted = await shop.brands.delete(brand.id);
  const missing = await shop.brands.show(brand.id).catch((error) => error);
  const none = await shop.comments.list({ search: 'name:no such comment' }).all();
  return {
    // The service writes whole seconds.
    isDate: data.created_at instanceof Date && data.created_at > startedAt - 1000 && data.created_at <= Date.now(),
    same: data.id === brand.id,
    unchanged: unchanged.code,
    stale: [stale.code, stale.status, stale.headers.get('ETag') !== etag],
    hasProducts: names > 3,
    found: found.map((one) => one.id === brand.id),
    deleted: deleted === undefined,
    missing: [missing instanceof ApiError, missing.status, missing.code, typeof missing.requestId],
    none,
  };
}`;

/** What it sees. */
export const expected = {
  isDate: true,
  same: true,
  unchanged: 'not_modified',
  stale: ['precondition_failed', 412, true],
  hasProducts: true,
  found: [true],
  deleted: true,
  missing: [true, 404, 'not_found', 'string'],
  none: [],
};
