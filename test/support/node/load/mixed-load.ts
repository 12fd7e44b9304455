import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { browserPaths } from '../../../../src/base/page-paths.ts';
import { demoApiKeys } from '../../../../src/demo/seed/account-data.ts';
import { sampleAddress, sampleCustomer } from '../../fixtures/sample-data.ts';
import { authorizeLink, pkce } from '../oauth/link.ts';
import { MerchantBrowser } from '../oauth/merchant.ts';

interface Answer {
  status: number;
  body: unknown;
}

/** A store that the load reaches by the API key of its owner. */
interface LoadedStore {
  alias: string;
  token: string;
  secret: string;
}

type Body = Record<string, unknown>;

const { account, keys, session, home } = browserPaths;

const digest = (text: string) => createHash('sha256').update(text).digest('base64url');

/** Inserts stores with an owner and an API key each, more than any cache of an isolate holds. */
export async function insertStores(
  { DIRECTORY, STORE_0 }: Pick<Env, 'DIRECTORY' | 'STORE_0'>,
  count: number,
): Promise<LoadedStore[]> {
  const stores = Array.from({ length: count }, (_, n) => ({
    alias: `load-${n}`,
    token: `load-token-${n}`,
    secret: `sk_load_${n}`,
  }));
  const now = Date.now();
  const rows = JSON.stringify(
    stores.map(({ alias, token, secret }) => ({
      alias,
      token: digest(token),
      secret: digest(secret),
    })),
  );
  await DIRECTORY.batch(
    [
      `insert into users (email, name, created_at, updated_at)
       select value ->> 'alias' || '@load.test', value ->> 'alias', ?2, ?2 from json_each(?1)`,
      `insert into stores (alias, name, owner_id, shard, base_url, created_at, updated_at)
       select value ->> 'alias', value ->> 'alias', u.id, 0, 'https://load.test', ?2, ?2
       from json_each(?1) cross join users u on u.email = value ->> 'alias' || '@load.test' collate nocase`,
      `insert into memberships
       select s.owner_id, s.id, 'owner', ?2 from json_each(?1) cross join stores s on s.alias = value ->> 'alias'`,
      `insert into api_keys (user_id, name, token_hash, secret_hash, last_four, created_at)
       select u.id, 'load', value ->> 'token', value ->> 'secret', 'load', ?2
       from json_each(?1) cross join users u on u.email = value ->> 'alias' || '@load.test' collate nocase`,
    ].map((sql) => DIRECTORY.prepare(sql).bind(rows, now)),
  );
  const { results } = await DIRECTORY.prepare(
    `select id from stores where alias like 'load-%'`,
  ).all<{ id: number }>();
  await STORE_0.prepare(
    'insert into placements (store_id, works) select value, 1 from json_each(?)',
  )
    .bind(JSON.stringify(results.map(({ id }) => id)))
    .run();
  return stores;
}

/**
 * Requests of every sort, which repeat nothing that a client chooses freely: records, lists with
 * other parameters each time, creates, changes of other fields, pages, tokens, and what is refused.
 * The n-th request is always the same.
 */
export class MixedLoad {
  /** How many requests had each status. */
  readonly statuses: Record<number, number> = {};
  readonly #origin: string;
  readonly #stores: readonly LoadedStore[];
  readonly #receiver: Server;
  readonly #browser: MerchantBrowser;
  readonly #refreshTokens: string[] = [];
  #brand = 0;
  #product = 0;
  #next = 0;

  private constructor(origin: string, stores: readonly LoadedStore[]) {
    this.#origin = origin;
    this.#stores = stores;
    this.#browser = new MerchantBrowser(origin);
    this.#receiver = createServer((request, response) =>
      request.resume().on('end', () => response.end()),
    );
  }

  /**
   * Makes what the requests need at a running demo: records, a webhook with a receiver, a session,
   * and connections of an app.
   */
  static async prepare(origin: string, stores: readonly LoadedStore[] = []): Promise<MixedLoad> {
    const [{ token, secret }] = demoApiKeys;
    const load = new MixedLoad(origin, [{ alias: 'demo', token, secret }, ...stores]);
    await load.#prepare();
    return load;
  }

  async #prepare() {
    await new Promise<void>((resolve) => this.#receiver.listen(0, '127.0.0.1', resolve));
    const { port } = this.#receiver.address() as AddressInfo;
    await this.#created('/webhooks', {
      url: `http://127.0.0.1:${port}/`,
      name: 'load',
      events: ['product.created', 'product.updated'],
    });
    this.#brand = await this.#created('/catalog/brands', { name: 'Load', active: true });
    this.#product = await this.#created('/catalog/products', this.#productBody(0));
    await this.#browser.signIn('/session');
    for (let n = 0; n < 8; n += 1) {
      const callback = await new MerchantBrowser(this.#origin).decide(
        `${this.#origin}${authorizeLink()}`,
      );
      const { body } = await this.#postToken({
        grant_type: 'authorization_code',
        redirect_uri: 'http://127.0.0.1:9999/callback',
        code: callback.searchParams.get('code') ?? '',
        code_verifier: pkce.verifier,
      });
      this.#refreshTokens.push((body as { refresh_token: string }).refresh_token);
    }
  }

  /** Sends the next `count` requests, sixteen at a time. */
  async send(count: number): Promise<void> {
    const end = this.#next + count;
    const work = async () => {
      while (this.#next < end) {
        const n = this.#next;
        this.#next += 1;
        const kinds = this.#kinds;
        const { status } = await kinds[n % kinds.length]!(n, Math.floor(n / kinds.length));
        if (status >= 500) throw new Error(`request ${n}: ${status}`);
        this.statuses[status] = (this.statuses[status] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: 16 }, work));
  }

  close() {
    this.#receiver.close();
  }

  /**
   * A kind chooses its variants by `turn`: all its n leave one remainder by each divisor of the
   * number of kinds.
   */
  readonly #kinds: ((n: number, turn: number) => Promise<Answer>)[] = [
    (n, turn) => this.#call(turn % 2 && n, `GET /catalog/brands/${this.#brand}`),
    () => this.#call(0, `GET /catalog/products/${this.#product}?include=skus,brand,images`),
    (n, turn) => this.#call(n, `GET /catalog/brands?limit=${1 + (turn % 50)}&q=load${n}`),
    (n, turn) =>
      this.#call(0, `GET /catalog/products?limit=10&orderBy=${turn % 2 ? 'name' : 'id'}&q=${n}`),
    (n, turn) =>
      this.#call(n, 'POST /catalog/brands', { name: `Brand ${n}`, active: turn % 2 === 0 }),
    (n) => this.#call(0, 'POST /catalog/products', this.#productBody(n)),
    (_, turn) => this.#call(0, `PUT /catalog/products/${this.#product}`, someFields(turn)),
    (n) =>
      this.#call(n, 'POST /customers', {
        ...sampleCustomer,
        email: `load${n}@cliente.test`,
        addresses: [sampleAddress],
      }),
    (_, turn) => this.#page([account, keys, session, home][turn % 4]!),
    (n, turn) =>
      this.#page(['/docs/en', '/docs/guides/errors', '/docs/pt-br', `/none-${n}`][turn % 4]!),
    (_, turn) => this.#refresh(turn % 8),
    (n) => this.#postToken({ grant_type: 'refresh_token', refresh_token: `none-${n}` }),
    (n) => this.#fetch(`/v2/demo/events?limit=5`, { Authorization: `Bearer none-${n}` }),
    (n) =>
      this.#fetch('/v2/demo/customers', { 'User-Token': `no-${n}`, 'User-Secret-Key': `${n}` }),
    (n) => this.#fetch(`/v2/nowhere-${n}/catalog/brands`, headersOf(this.#stores[0]!)),
    (n) => this.#call(n, 'POST /catalog/brands', { name: '', [`unknown_${n}`]: n }),
    (_, turn) =>
      this.#call(0, `GET /orders?limit=5&date=created_at:2026-01-0${1 + (turn % 9)}|2026-12-31`),
    (n, turn) =>
      this.#page(authorizeLink({ state: `${n}`, client_id: turn % 2 ? 'demo-app' : `app-${n}` })),
  ];

  #productBody(n: number): Body {
    return {
      name: `Product ${n}`,
      simple: true,
      active: true,
      brand_id: this.#brand,
      skus: [{ sku: `load-${n}`, price_sale: 10, quantity: 5, quantity_managed: true }],
    };
  }

  async #created(path: string, body: Body): Promise<number> {
    const answer = await this.#call(0, `POST ${path}`, body);
    if (answer.status !== 201) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return (answer.body as { data: { id: number } }).data.id;
  }

  /** Calls an operation of the n-th store. */
  #call(n: number, request: string, body?: Body): Promise<Answer> {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    const store = this.#stores[n % this.#stores.length]!;
    return this.#fetch(
      `/v2/${store.alias}${path}`,
      { ...headersOf(store), 'Content-Type': 'application/json' },
      { method, ...(body && { body: JSON.stringify(body) }) },
    );
  }

  async #page(path: string): Promise<Answer> {
    return { ...(await this.#browser.send(path)), body: undefined };
  }

  #postToken(form: Record<string, string>): Promise<Answer> {
    const body = new URLSearchParams({ client_id: 'demo-app', ...form });
    return this.#fetch('/oauth/token', {}, { method: 'POST', body });
  }

  async #refresh(chain: number): Promise<Answer> {
    const refresh_token = this.#refreshTokens[chain]!;
    const answer = await this.#postToken({ grant_type: 'refresh_token', refresh_token });
    const next = (answer.body as { refresh_token?: string }).refresh_token;
    if (next !== undefined) this.#refreshTokens[chain] = next;
    return answer;
  }

  async #fetch(path: string, headers: Record<string, string>, init?: RequestInit): Promise<Answer> {
    const response = await fetch(`${this.#origin}${path}`, {
      redirect: 'manual',
      ...init,
      headers,
    });
    const text = await response.text();
    const isJson = response.headers.get('Content-Type')?.includes('json') === true;
    return { status: response.status, body: isJson && text !== '' ? JSON.parse(text) : {} };
  }
}

const headersOf = ({ token, secret }: LoadedStore) => ({
  'User-Token': token,
  'User-Secret-Key': secret,
});

/** A body that changes other fields each time, so that each makes a statement of its own. */
function someFields(n: number): Body {
  const fields: Body = {
    name: `Load ${n}`,
    description: `Text ${n}`,
    active: n % 2 === 0,
    featured: n % 3 === 0,
    priority: n % 100,
    ncm: '61091000',
    video: null,
    keywords: `load ${n}`,
  };
  return Object.fromEntries(Object.entries(fields).filter((_, bit) => (n >> bit) & 1));
}
