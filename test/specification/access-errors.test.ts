import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { removeMember } from '../../src/accounts/members/remove-member.ts';
import {
  coversScope,
  isScope,
  scopes,
  scopesToBits,
  type Scope,
} from '../../src/data/grants/scopes.ts';
import { evictApiKeysOfUser } from '../../src/http/access/api-key.ts';
import type { Operation } from '../../src/http/operation.ts';
import { disconnectApp } from '../../src/oauth/revoke-grants.ts';
import { requireSecondFactor } from '../../src/stores/edit-store.ts';
import { actionOf } from '../support/action.ts';
import { createApiClient } from '../support/api/client.ts';
import { fakeLimiter, limitBindings, newAddress } from '../support/api/limits.ts';
import { refusal } from '../support/api/refusal.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import { addTestKey } from '../support/fixtures/keys.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { doors, type Door } from '../support/mcp/doors.ts';
import { connectApp, withClaims, type ConnectedTestApp } from '../support/oauth/partner.ts';
import { shared } from '../support/shared.ts';
import { kindsFor } from '../support/slow.ts';
import { followChanges } from '../support/sweep.ts';

const bearerOf = (token: string) => ({ Authorization: `Bearer ${token}` });

type Credentials = Record<string, string>;
/** The resource of the tokens of a door. */
type Made = Door['tokensFor'];

const forbidden = refusal(403, 'store_not_accessible');

const sharedStore = shared(() => createTestStore());
const otherStore = shared(() => createTestStore());
const inactiveStore = shared(() => createTestStore({ active: false }));
/** A store whose database does not respond. */
const silentStore = shared(() => createTestStore());
const sharedApp = shared(async (made: Made) => connectApp(await createTestStore(), made));
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
  [
    'for a store that its user has left',
    shared(async () => {
      const own = await createTestStore();
      const { headers, userId } = await createTestStore();
      await addMembership(userId, own.id);
      // The isolate knows the key and its role.
      await createApiClient(own.alias, headers)('GET /catalog/brands');
      const store = { id: own.id, shard: own.shard, name: 'Test Store' };
      await removeMember(actionOf(own.userId), store, userId);
      return { alias: own.alias, headers };
    }),
  ],
];

/**
 * Callers of a store that requires a second factor, which the user of the key, or who connected the
 * app, does not have.
 */
const withoutFactor: [why: string, callerAt: (made: Made) => Promise<Caller>][] = [
  [
    'an API key',
    shared(async () => {
      const own = await createTestStore();
      await requireSecondFactor(actionOf(own.userId), own, true);
      return own;
    }),
  ],
  [
    'an app',
    shared(async (made: Made) => {
      const own = await connectApp(await createTestStore(), made);
      await requireSecondFactor(actionOf(own.store.userId), own.store, true);
      await followChanges(env, own.store);
      return { alias: own.store.alias, headers: own.headers };
    }),
  ],
];

/** The headers of an app that no operation accepts; `only` at the doors that want them. */
const wrongApps: {
  why: string;
  headers: (own: ConnectedTestApp, made: Made) => Promise<Credentials>;
  only?: Door['over'];
  challenge?: RegExp;
}[] = [
  {
    why: 'of an app without X-Partner-Client-ID',
    headers: async ({ tokens }) => bearerOf(tokens.access_token),
    only: 'HTTP',
  },
  {
    why: 'of an app with the client id of another',
    headers: async ({ headers }) => ({ ...headers, 'X-Partner-Client-ID': 'demo-app' }),
  },
  {
    why: 'of an app with an expired token',
    headers: (own) => withClaims(own, { expiresAt: Date.now() }),
  },
  {
    why: 'of an app with a refresh token',
    headers: async ({ headers, tokens }) => ({ ...headers, ...bearerOf(tokens.refresh_token) }),
  },
  {
    why: 'of an app with a token one character off',
    headers: async ({ headers, tokens }) => ({
      ...headers,
      ...bearerOf(tokens.access_token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
    }),
  },
  {
    why: 'of an app with an API key beside a valid token',
    headers: async ({ headers, store }) => ({ ...headers, ...store.headers }),
  },
  {
    why: 'of an app with a token that was made for another resource',
    challenge: /^Bearer error="invalid_token", resource_metadata="[^"]+"$/,
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
    'of an app whose member has left',
    shared(async (made: Made) => {
      const store = await createTestStore();
      const { userId } = await createTestStore();
      await addMembership(userId, store.id);
      const own = await connectApp({ ...store, userId }, made);
      await removeMember(actionOf(store.userId), { ...store, name: 'Test Store' }, userId);
      return { alias: store.alias, headers: own.headers };
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

/** Callers whom no operation knows; `only` at the doors that want their headers. */
const unauthenticated: {
  why: string;
  callerAt: (made: Made) => Promise<Caller>;
  only?: Door['over'];
  /** The code of the refusal, if it is the same at each door. */
  code?: 'unauthenticated';
  /** The `WWW-Authenticate` of the refusal, if it is not that of the door. */
  challenge?: RegExp;
}[] = [
  ...wrongCredentials.map(([why, headers]) => ({
    why,
    callerAt: async () => {
      const { alias, headers: own } = await sharedStore();
      return { alias, headers: headers(own) };
    },
  })),
  ...wrongApps.map(({ headers, ...kind }) => ({
    ...kind,
    callerAt: async (made: Made) => {
      const own = await sharedApp(made);
      return { alias: own.store.alias, headers: await headers(own, made) };
    },
  })),
  ...endedCredentials.map(([why, callerAt]) => ({
    why,
    callerAt,
    code: 'unauthenticated' as const,
  })),
];

async function act(path: string) {
  const { api } = await operator();
  const { status } = await api(`POST /operator${path}`, { reason: 'A test' });
  expect(status).toBeLessThan(300);
}

/** An address from which credentials are guessed. */
const guesser = newAddress();

/**
 * Each rate limit of a request: the bindings that refuse all, and how a refusal of a caller who is
 * known names it.
 */
const limits: {
  of: string;
  bindings: Partial<Env>;
  name?: string;
  headers?: Credentials;
  isOfStore?: true;
}[] = [
  {
    of: 'a credential',
    bindings: { API_LIMIT: fakeLimiter(false), ...limitBindings({ API_PER_MINUTE: '1' }) },
    name: 'credential',
  },
  {
    of: 'a store',
    bindings: { STORE_LIMIT: fakeLimiter(false), ...limitBindings({ STORE_PER_MINUTE: '1' }) },
    name: 'store',
    isOfStore: true,
  },
  {
    of: 'a network that guesses, instead of 401',
    bindings: limitBindings({
      FAILED_AUTH_LIMIT: fakeLimiter(false),
      FAILED_AUTH_PER_MINUTE: '1',
    }),
    headers: { 'User-Token': 'no', 'User-Secret-Key': 'no', 'CF-Connecting-IP': guesser },
  },
];

const subjects = doors.flatMap((door) =>
  door
    .sample(door.operations)
    .map((operation) => [door.over, operation.route, door, operation] as const),
);

/**
 * Calls an operation with a body that is enough for the media type: these errors come before it is
 * read.
 */
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
  const { tokensFor } = door;
  const operations = door.sample(door.operations);
  const { access } = operation;
  const appOf = async (granted: readonly Scope[]) => {
    const own = await sharedApp(tokensFor);
    const headers = await withClaims(own, { scopes: scopesToBits(new Set(granted)) });
    return { alias: own.store.alias, headers };
  };

  const callers = unauthenticated.filter(({ only }) => only === undefined || only === door.over);
  it.each(kindsFor(operation, operations, callers))(
    'returns 401 $why, before any other error',
    async ({ callerAt, code, challenge }) => {
      const response = await callAt(door, operation, await callerAt(tokensFor));
      expect([response.status, response.body.message]).toEqual([401, 'Unauthenticated.']);
      if (code) expect(response.body).toEqual(refusal(401, code));
      expect(response.headers.get('WWW-Authenticate')).toMatch(challenge ?? door.challenge);
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

  const limitsHere = limits.filter(({ isOfStore }) => !isOfStore || operation.isStoreScoped);
  it.each(kindsFor(operation, operations, limitsHere))(
    'returns 429 with Retry-After over the rate limit of $of',
    async ({ name, bindings, headers }) => {
      const { alias, headers: own } = await sharedStore();
      const caller = { alias, headers: headers ?? own };
      const more = limitBindings({ ME_LIMIT: fakeLimiter(false), ME_PER_MINUTE: '1' });
      const response = await callAt(door, operation, caller, { ...bindings, ...more });
      expect([response.status, response.body.code]).toEqual([429, 'rate_limited']);
      expect(response.headers.get('Retry-After')).toBe('60');
      if (door.over === 'MCP' || name === undefined) return;
      expect(response.headers.get('RateLimit')).toBe(`"${name}";r=0;t=60`);
      expect(response.headers.get('RateLimit-Policy')).toContain(`"${name}";q=1;w=60`);
    },
  );

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

  it.each(operation.isStoreScoped ? kindsFor(operation, operations, withoutFactor) : [])(
    'returns 403 second_factor_required to %s of a member without one, where the store requires it',
    async (_why, callerAt) => {
      const response = await callAt(door, operation, await callerAt(tokensFor));
      expect([response.status, response.body]).toEqual([
        403,
        refusal(403, 'second_factor_required'),
      ]);
    },
  );
});

/** Another store that the owner of a store manages. */
async function secondStore({ userId }: TestStore): Promise<string> {
  const other = await createTestStore();
  await addMembership(userId, other.id);
  return other.alias;
}

const addMembership = (userId: number, storeId: number) =>
  env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', ?)`)
    .bind(userId, storeId, Date.now())
    .run();
