import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoredTokens, Tokens, TokenStore } from '../../../src/client/core/public.ts';
import {
  buildPackage,
  loadPackage,
  type BuiltClient,
} from '../../support/node/client/built-client.ts';
import {
  startCuttingProxy,
  cutPoints,
  type CuttingProxy,
} from '../../support/node/client/cutting-proxy.ts';
import { firstProgramFor } from '../../support/node/client/first-program.ts';
import { apiKey, expected, mark, scenario } from '../../support/node/client/scenario.ts';
import { holdTimeLimits } from '../../support/node/client/time-limits.ts';
import { startProgram } from '../../support/node/docs/samples.ts';
import { authorizeLink, pkce } from '../../support/node/oauth/link.ts';
import { MerchantBrowser } from '../../support/node/oauth/merchant.ts';
import { useDemo, type SharedDemo } from '../../support/node/runtime/shared-demo.ts';
import { isSlow } from '../../support/slow.ts';

let demo: SharedDemo;
let built: BuiltClient;

beforeAll(async () => {
  [demo, built] = await Promise.all([useDemo(), loadPackage()]);
});

const connect = (options = {}) =>
  built.client({ store: 'demo', baseUrl: demo.origin, apiKey, ...options });

describe.skipIf(isSlow)('the client', () => {
  it('works in Node', async () => {
    // oxlint-disable-next-line no-eval -- the same text runs in the other runtimes
    const run = (0, eval)(scenario) as (...args: unknown[]) => Promise<unknown>;
    expect(await run(built, demo.origin, mark())).toEqual(expected);
  });

  it('runs the first program of its README, which shows an order of the demo', async () => {
    const program = firstProgramFor('src/client/package-readme.md', demo.origin, mark());
    // In its own folder, the package finds itself by its name.
    const { output, succeeded } = await startProgram(
      [process.execPath, '--input-type=module', '--eval', program],
      {
        cwd: await buildPackage(),
        env: { STORE_API_TOKEN: apiKey.token, STORE_API_SECRET: apiKey.secret },
      },
    ).ended;
    expect([succeeded, output]).toEqual([true, expect.stringMatching(/^\d+ \d{4}-\d\d-.*Z\n/)]);
  });

  it('works in a Worker', async () => {
    const source = readFileSync(join(await buildPackage(), 'index.js'), 'utf8');
    const program = `import * as built from './client.js';
      const run = ${scenario};
      export default {
        fetch: async (request) => Response.json(await run(built, ...(await request.json()))),
      };`;
    const worker = new Miniflare(
      convertV4MiniflareOptions({
        modules: [
          { type: 'ESModule', path: 'worker.js', contents: program },
          { type: 'ESModule', path: 'client.js', contents: source },
        ],
        compatibilityDate: '2026-01-01',
      }),
    );
    const response = await worker.dispatchFetch('http://worker.test', {
      method: 'POST',
      body: JSON.stringify([demo.origin, mark()]),
    });
    expect(await response.json()).toEqual(expected);
    await worker.dispose();
  });

  it('returns the only record of a list, void, a bare record and an array as they are meant', async () => {
    const shop = connect();
    const [order] = await shop.orders.list().all({ limit: 1 });
    const states = await shop.orders.listStates();
    expect(states[0]).toMatchObject({ alias: expect.any(String) });
    const [transaction] = await shop.transactions.list().all({ limit: 1 });
    expect(await shop.transactions.show(transaction.id)).toMatchObject({
      id: transaction.id,
      amount: expect.any(Number),
      created_at: expect.any(Date),
    });
    expect(await shop.orders.show(order.id)).toMatchObject({ id: order.id });
    expect(await shop.user.show()).toMatchObject({ email: 'ana@demo.test' });
    const [event] = await shop.events.list().all({ limit: 1 });
    // The id of an event begins with its store and its time.
    const time = Number.parseInt(event.id.slice(18, 30), 16);
    expect(Math.abs(event.time.getTime() - time)).toBeLessThan(1_000);
    const page = await shop.products.list({ limit: 4 }).page();
    expect(page).toMatchObject({ meta: { pagination: { count: 4 } } });
    expect((await page.next()).data[0].id).toBeGreaterThan(page.data[3].id);
  });

  it('says which header a wrong key was sent in', async () => {
    const failures = await Promise.all(
      [
        { token: 'wrong', secret: apiKey.secret },
        { token: apiKey.token, secret: 'wrong' },
      ].map((wrong) =>
        connect({ apiKey: wrong })
          .brands.list()
          .page()
          .catch((error: Error) => error.message),
      ),
    );
    for (const message of failures)
      expect(message).toMatch(/^401 unauthenticated: .*User-Token.*User-Secret-Key/s);
  });
});

/**
 * Where a connection is cut: in a usual run where a change was made, but its response did not
 * arrive whole.
 */
const usualPoints = isSlow
  ? cutPoints
  : cutPoints.filter((point) => ['answered', 'half'].includes(point));

describe.concurrent('the client on a connection that is cut', () => {
  // The proxies of concurrent tests count their own requests.
  const throughProxy = async (work: (proxy: CuttingProxy) => Promise<void>) => {
    const proxy = await startCuttingProxy(demo.origin);
    try {
      await work(proxy);
    } finally {
      await proxy.close();
    }
  };
  const limits = holdTimeLimits();
  afterAll(() => limits[Symbol.dispose]());

  // Only the time limit ends an attempt that gets no answer; it comes when the proxy has the
  // request.
  const connectTo = (proxy: CuttingProxy, config = {}) => {
    const timeoutMs = limits.hold();
    proxy.onSilent = () => limits.expire(timeoutMs);
    return connect({ baseUrl: proxy.origin, timeoutMs, ...config });
  };

  it.each(usualPoints)('applies each change once when the connection is cut: %s', (point) =>
    throughProxy(async (proxy) => {
      const shop = connectTo(proxy);
      const cuts = 2;
      const cut = () => proxy.follow(({ count }) => (count <= cuts ? point : undefined));
      const name = mark();

      cut();
      const brand = await shop.brands.create({ name, active: true });
      expect(proxy.requests).toHaveLength(cuts + 1);
      expect(await connect().brands.list({ name }).all()).toMatchObject([{ id: brand.id }]);

      cut();
      const changed = await shop.brands.update(brand.id, { name, active: false });
      expect(changed).toMatchObject({ id: brand.id, active: false });

      // A change by a number is the one that a repetition would spoil.
      const sku = { sku: name, price_sale: 10, quantity: 5, quantity_managed: true };
      const product = { name, simple: true, active: true, brand_id: brand.id, skus: [sku] };
      const { id } = await connect().products.create(product);
      const [{ id: skuId }] = await connect().skus.list(id).all();
      cut();
      const stock = await shop.skus.updateStock(skuId, 1, { delta: 1 });
      expect(stock.quantity).toBe(6);

      cut();
      await shop.products.delete(id);
      expect(await connect().products.list({ brand_id: brand.id }).all()).toEqual([]);
      const events = await connect()
        .events.list({ event: ['product.deleted'] })
        .all();
      expect(
        events.filter(({ resource }: { resource: { id: number } }) => resource.id === id).length,
      ).toBeLessThan(2);
    }),
  );

  it.skipIf(isSlow).each(cutPoints)(
    'loses and repeats no record of a list when the connection is cut: %s',
    (point) =>
      throughProxy(async (proxy) => {
        const all = await connect().orders.list().all();
        proxy.follow(({ count }) => (count % 3 === 2 ? point : undefined));
        expect(await connectTo(proxy).orders.list({ limit: 2 }).all()).toEqual(all);
        expect(proxy.requests.length).toBeGreaterThan(all.length / 2);
      }),
  );

  it.each(usualPoints.filter((point) => point !== 'silent'))(
    'keeps the tokens of an app when the refresh is cut: %s',
    (point) =>
      throughProxy(async (proxy) => {
        const tokens = await connectApp();
        const saved: Tokens[] = [];
        const oauth = {
          clientId: 'demo-app',
          tokens: { ...tokens, expires_at: 0 },
          onTokens: (next: Tokens) => void saved.push(next),
        };
        const shop = connectTo(proxy, { apiKey: undefined, oauth });
        let cuts = 2;
        proxy.follow(({ path }) => (path === '/oauth/token' && cuts-- > 0 ? point : undefined));
        const lists = await Promise.all(
          Array.from({ length: 5 }, () => shop.brands.list().all({ limit: 1 })),
        );
        expect(lists.map(({ length }) => length)).toEqual([1, 1, 1, 1, 1]);
        expect(saved).toHaveLength(1);
        // The successor is the only one: it refreshes in its turn.
        const later = { clientId: 'demo-app', tokens: { ...saved[0], expires_at: 0 } };
        const next = connect({ apiKey: undefined, oauth: later });
        expect(await next.brands.list().all({ limit: 1 })).toHaveLength(1);
      }),
  );
});

describe.skipIf(isSlow)('a process of an app that dies between refresh and store', () => {
  it('leaves the connection to the next one, which gets the same successor', async () => {
    let stored: StoredTokens = { ...(await connectApp()), expires_at: 0 };
    const first = stored;
    let lost: Tokens | undefined;
    const connectWith = (compareAndSet: TokenStore['compareAndSet']) => {
      const tokenStore: TokenStore = { get: () => Promise.resolve(stored), compareAndSet };
      return connect({ apiKey: undefined, oauth: { clientId: 'demo-app', tokenStore } });
    };
    const dying = await new Promise<Tokens | undefined>((resolve) => {
      const shop = connectWith((_store, _expected, next) => {
        resolve(next);
        return new Promise<boolean>(() => undefined);
      });
      void shop.brands.list().page();
    });
    expect(stored).toBe(first);
    const shop = connectWith((_store, expected, next) => {
      expect(expected).toEqual(first);
      lost = next;
      stored = next!;
      return Promise.resolve(true);
    });
    expect(await shop.brands.list().all({ limit: 1 })).toHaveLength(1);
    expect(lost?.refresh_token).toBe(dying?.refresh_token);
    expect(lost?.access_token).toBe(dying?.access_token);
  });
});

let lastConnection: Promise<unknown> = Promise.resolve();

/**
 * Connects the demo app with the store `demo` as a merchant does, and returns its tokens.
 * Concurrent tests sign in one after the other: the service checks two passwords at a time, and
 * answers a third with 503.
 */
function connectApp(): Promise<Tokens> {
  const connection = lastConnection.then(requestTokens);
  lastConnection = connection.catch(() => undefined);
  return connection;
}

async function requestTokens(): Promise<Tokens> {
  const callback = await new MerchantBrowser(demo.origin).decide(
    `${demo.origin}${authorizeLink()}`,
  );
  const response = await fetch(`${demo.origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'demo-app',
      redirect_uri: 'http://127.0.0.1:9999/callback',
      code: callback.searchParams.get('code') ?? '',
      code_verifier: pkce.verifier,
    }),
  });
  return (await response.json()) as Tokens;
}
