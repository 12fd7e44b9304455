import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { coversScope, isScope, scopes, type Scope } from '../../src/data/grants/scopes.ts';
import { mintAccessToken, verifyAccessToken } from '../../src/http/access/access-token.ts';
import { evictApiKeysOfUser } from '../../src/http/access/api-key.ts';
import type { Operation } from '../../src/http/operation.ts';
import { disconnectApp } from '../../src/oauth/revoke-grants.ts';
import { createSite, fakeLimiter, limitBindings } from '../support/api/limits.ts';
import { refusal } from '../support/api/refusal.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import { addTestKey } from '../support/fixtures/keys.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { doors, type Door } from '../support/mcp/doors.ts';
import { connectApp, type ConnectedTestApp } from '../support/oauth/partner.ts';
import { shared } from '../support/shared.ts';
import { kindsFor } from '../support/slow.ts';
import { followChanges } from '../support/sweep.ts';

const settings = settingsOf(env);
const bearerOf = (token: string) => ({ Authorization: `Bearer ${token}` });

type Credentials = Record<string, string>;
/** The resource of the tokens of a door. */
type Made = Door['tokensFor'];

const unauthenticated = { message: 'Unauthenticated.', status_code: 401 };
const forbidden = refusal(403, 'store_not_accessible');

const sharedStore = shared(() => createTestStore());
const otherStore = shared(() => createTestStore());
const inactiveStore = shared(() => createTestStore({ active: false }));
/** A store whose database does not respond. */
const silentStore = shared(() => createTestStore());
const sharedApp = shared(async (made: Made, granted?: readonly Scope[]) =>
  connectApp(await createTestStore(), { ...made, ...(granted && { scopes: granted }) }),
);
const operator = shared(() => createTestOperator());
const sharedSecondStore = shared(async (made: Made) => secondStore((await sharedApp(made)).store));

/** Credentials that no operation accepts, derived from those of an API key. */
const wrongCredentials: [why: string, headers: (own: Credentials) => Credentials][] = [
  ['without credentials', () => ({})],
  ['with only the token of an API key', (own) => ({ 'User-Token': own['User-Token']! })],
  ['with only the secret of an API key', (own) => ({ 'User-Secret-Key': own['User-Secret-Key']! })],
  ['with an empty secret', (own) => ({ ...own, 'User-Secret-Key': '' })],
  ['with a wrong secret', (own) => ({ ...own, 'User-Secret-Key': 'sk-wrong' })],
  ['with an unknown token of an API key', (own) => ({ ...own, 'User-Token': 'nobody' })],
  ['with a bearer token that was never issued', () => ({ Authorization: 'Bearer made-up' })],
  ['with both kinds of credentials', (own) => ({ ...own, Authorization: 'Bearer made-up' })],
];

/** Credentials that are good, beside a store that they do not reach. */
const unreachable: [why: string, callerAt: (made: Made) => Promise<Caller>][] = [
  [
    'for a token on another store of the same user',
    async (made) => {
      const { headers } = await sharedApp(made);
      return { alias: await sharedSecondStore(made), headers };
    },
  ],
  [
    'for a token on a store that does not exist',
    async (made) => ({ alias: 'no-such-store', headers: (await sharedApp(made)).headers }),
  ],
  [
    'for the store of another user',
    async () => ({ alias: (await otherStore()).alias, headers: (await sharedStore()).headers }),
  ],
  [
    'for a store that does not exist',
    async () => ({ alias: 'no-such-store', headers: (await sharedStore()).headers }),
  ],
  ['for an inactive store', () => inactiveStore()],
];

/** The headers of an app that no operation accepts; `only` at the doors that want them. */
const wrongApps: {
  why: string;
  headers: (own: ConnectedTestApp, made: Made) => Promise<Credentials>;
  only?: Door['over'];
}[] = [
  {
    why: 'without X-Partner-Client-ID',
    headers: async ({ tokens }) => bearerOf(tokens.access_token),
    only: 'HTTP',
  },
  {
    why: 'with the client id of another app',
    headers: async ({ headers }) => ({ ...headers, 'X-Partner-Client-ID': 'demo-app' }),
  },
  {
    why: 'with an expired token',
    headers: async ({ headers, tokens }) => {
      const claims = await verifyAccessToken(settings.tokenKeys, tokens.access_token, Date.now());
      const expired = { ...claims!, expiresAt: Date.now() };
      return { ...headers, ...bearerOf(await mintAccessToken(settings.tokenKeys, expired)) };
    },
  },
  {
    why: 'with a refresh token',
    headers: async ({ headers, tokens }) => ({ ...headers, ...bearerOf(tokens.refresh_token) }),
  },
  {
    why: 'with a token one character off',
    headers: async ({ headers, tokens }) => ({
      ...headers,
      ...bearerOf(tokens.access_token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
    }),
  },
  {
    why: 'with an API key beside a valid token',
    headers: async ({ headers, store }) => ({ ...headers, ...store.headers }),
  },
  {
    why: 'with a token that was made for another resource',
    headers: async ({ store, app }, { resource }) =>
      (await otherResource(store, app, resource === 'mcp' ? {} : { resource: 'mcp' })).headers,
  },
];

const otherResource = shared((store: TestStore, app: ConnectedTestApp['app'], made: Made) =>
  connectApp(store, { app, ...made }),
);

/** Credentials that were good once. */
const endedCredentials: [why: string, end: (made: Made) => Promise<Caller>][] = [
  [
    'of a grant that was revoked',
    shared(async (made: Made) => {
      const own = await connectApp(await createTestStore(), made);
      await disconnectApp(env, own.store, own.app.client_id, Date.now());
      return { alias: own.store.alias, headers: own.headers };
    }),
  ],
  [
    'of an app that operators disabled',
    shared(async (made: Made) => {
      const own = await connectApp(await createTestStore(), made);
      await act(`/apps/${own.app.id}/disable`);
      await followChanges(env, own.store);
      return { alias: own.store.alias, headers: own.headers };
    }),
  ],
  [
    'of a user whom operators locked',
    shared(async () => {
      const own = await createTestStore();
      await act(`/users/${own.userId}/deactivate`);
      return own;
    }),
  ],
  [
    'of an API key that expired',
    shared(async () => {
      const own = await createTestStore();
      const headers = await addTestKey(own.userId, { expiresAt: Date.now() - 1 });
      return { alias: own.alias, headers };
    }),
  ],
];

/** A store and credentials. */
type Caller = Pick<TestStore, 'alias' | 'headers'>;

async function act(path: string) {
  const { api } = await operator();
  const { status } = await api(`POST /operator${path}`, { reason: 'A test' });
  expect(status).toBeLessThan(300);
}

/** An address from which credentials are guessed. */
const guesser = `${createSite()}::1`;

/** Each rate limit: the bindings that refuse every request, and how the refusal names it. */
const limits: [name: string, bindings: Partial<Env>][] = [
  ['credential', { API_LIMIT: fakeLimiter(false), ...limitBindings({ API_PER_MINUTE: '1' }) }],
  ['store', { STORE_LIMIT: fakeLimiter(false), ...limitBindings({ STORE_PER_MINUTE: '1' }) }],
];

const subjects = doors.flatMap((door) =>
  door.operations.map((operation) => [door.over, operation.route, door, operation] as const),
);

/** Calls an operation with a body that is enough for the media type: these errors come before it is read. */
const callAt = (
  { call }: Door,
  { method, path, body }: Operation,
  { alias, headers }: Caller,
  bindings?: Partial<Env>,
) =>
  call(method, `/v2${path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, '1')}`, {
    headers,
    ...(body && { body: {} }),
    ...(bindings && { bindings }),
  });

describe.each(subjects)('over %s: %s', (_over, _route, door, operation) => {
  const { operations, tokensFor } = door;
  const { access } = operation;
  const appOf = async (granted?: readonly Scope[]) => {
    const own = granted ? await sharedApp(tokensFor, granted) : await sharedApp(tokensFor);
    return { ...own, alias: own.store.alias };
  };

  it.each(kindsFor(operation, operations, wrongCredentials))(
    'returns 401 %s',
    async (_why, headers) => {
      const { alias, headers: own } = await sharedStore();
      const response = await callAt(door, operation, { alias, headers: headers(own) });
      expect(response.status).toBe(401);
      expect(response.body).toMatchObject(unauthenticated);
      expect(response.headers.get('WWW-Authenticate')).toMatch(door.challenge);
    },
  );

  const wrong = wrongApps.filter(({ only }) => only === undefined || only === door.over);
  it.each(kindsFor(operation, operations, wrong))(
    'returns 401 for an app $why',
    async ({ headers }) => {
      const own = await appOf();
      const sent = { alias: own.alias, headers: await headers(own, tokensFor) };
      const response = await callAt(door, operation, sent);
      expect([response.status, response.body]).toMatchObject([401, unauthenticated]);
    },
  );

  it.each(kindsFor(operation, operations, endedCredentials))(
    'returns 401 for credentials %s, before any other error',
    async (_why, end) => {
      const response = await callAt(door, operation, await end(tokensFor));
      expect([response.status, response.body]).toEqual([401, refusal(401, 'unauthenticated')]);
    },
  );

  if (isScope(access)) {
    it('returns 403 and names the scope if the token lacks it', async () => {
      const others = scopes.filter((scope) => !coversScope(new Set([scope]), access));
      const response = await callAt(door, operation, await appOf(others));
      expect(response.status).toBe(403);
      expect(response.body).toEqual(
        refusal(403, 'insufficient_scope', { scope: [`Requires ${access}.`] }),
      );
      expect(response.body.hint).toContain(access);
      if (door.over === 'MCP') return;
      expect(response.headers.get('WWW-Authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="${access}"`,
      );
    });

    it('accepts a token that has only this scope', async () => {
      const response = await callAt(door, operation, await appOf([access]));
      expect([401, 403, 500]).not.toContain(response.status);
    });
  }

  it.each(operation.isStoreScoped ? kindsFor(operation, operations, limits) : limits.slice(0, 1))(
    'returns 429 with Retry-After over the rate limit of the %s',
    async (name, bindings) => {
      const more = limitBindings({ ME_LIMIT: fakeLimiter(false), ME_PER_MINUTE: '1' });
      const response = await callAt(door, operation, await sharedStore(), { ...bindings, ...more });
      expect([response.status, response.body.code]).toEqual([429, 'rate_limited']);
      expect(response.headers.get('Retry-After')).toBe('60');
      if (door.over === 'MCP') return;
      expect(response.headers.get('RateLimit')).toBe(`"${name}";r=0;t=60`);
      expect(response.headers.get('RateLimit-Policy')).toContain(`"${name}";q=1;w=60`);
    },
  );

  it('returns 429 instead of 401 to a network that guesses', async () => {
    const { alias } = await sharedStore();
    const headers = { 'User-Token': 'no', 'User-Secret-Key': 'no', 'CF-Connecting-IP': guesser };
    const refused = limitBindings({
      FAILED_AUTH_LIMIT: fakeLimiter(false),
      FAILED_AUTH_PER_MINUTE: '1',
    });
    const response = await callAt(door, operation, { alias, headers }, refused);
    expect([response.status, response.body.code]).toEqual([429, 'rate_limited']);
    expect(response.headers.get('Retry-After')).toBe('60');
  });

  it('returns 503 with Retry-After while the database does not respond', async () => {
    const own = await silentStore();
    evictApiKeysOfUser(own.userId);
    const lost = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'));
    const statement = { bind: () => statement, all: lost, raw: lost, run: lost, first: lost };
    const silent = fakeDatabase({ prepare: () => statement, batch: lost });
    const response = await callAt(door, operation, own, { DIRECTORY: silent });
    expect([response.status, response.body.code]).toEqual([503, 'unavailable']);
    expect(response.headers.get('Retry-After')).toBe('2');
  });

  it.each(operation.isStoreScoped ? kindsFor(operation, operations, unreachable) : [])(
    'returns 403 %s',
    async (_why, callerAt) => {
      const response = await callAt(door, operation, await callerAt(tokensFor));
      expect([response.status, response.body]).toEqual([403, forbidden]);
    },
  );
});

/** Another store that the owner of a store manages. */
async function secondStore({ userId }: TestStore): Promise<string> {
  const other = await createTestStore();
  await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', ?)`)
    .bind(userId, other.id, Date.now())
    .run();
  return other.alias;
}
