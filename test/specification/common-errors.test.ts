import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { coversScope, isScope, scopes, type Scope } from '../../src/data/grants/scopes.ts';
import { mintAccessToken, verifyAccessToken } from '../../src/http/access/access-token.ts';
import { evictApiKeysOfUser } from '../../src/http/access/api-key.ts';
import { disconnectApp } from '../../src/oauth/revoke-grants.ts';
import { callApi } from '../support/api/client.ts';
import { callPathWithBindings } from '../support/api/measure.ts';
import { operations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { refusal } from '../support/api/refusal.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import { createTestOperator, headersFor } from '../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { connectApp, type ConnectedTestApp } from '../support/oauth/partner.ts';
import { kindsFor } from '../support/slow.ts';

const pathOf = (path: string, alias: string, id = '1') =>
  `/v2${path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, id)}`;

/** Enough for the media type check. These errors come before the body is read. */
const bodyOf = (operation: (typeof operations)[number]) => (operation.body ? { body: {} } : {});

const settings = settingsOf(env);
const bearerOf = (token: string) => ({ Authorization: `Bearer ${token}` });

const unauthenticated = { message: 'Unauthenticated.', status_code: 401 };
const forbidden = refusal(403, 'store_not_accessible');

/** Calls `create` once per key; these tests change nothing, so they share what it creates. */
function shared<T, A extends unknown[]>(
  create: (...args: A) => Promise<T>,
): (...args: A) => Promise<T> {
  const created = new Map<string, Promise<T>>();
  return (...args) => {
    const key = JSON.stringify(args);
    const known = created.get(key) ?? create(...args);
    created.set(key, known);
    return known;
  };
}

const sharedStore = shared(() => createTestStore());
const otherStore = shared(() => createTestStore());
const inactiveStore = shared(() => createTestStore({ active: false }));
const simulatedStore = shared(() => createTestStore({ test: true }));
const sharedApp = shared(async (granted?: readonly Scope[]) =>
  connectApp(await createTestStore(), granted ? { scopes: granted } : {}),
);
const revokedApp = shared(async () => {
  const own = await connectApp(await createTestStore());
  await disconnectApp(env, own.store, own.app.client_id, Date.now());
  return own;
});
/** A store whose database does not respond. */
const silentStore = shared(() => createTestStore());
const lackingOperator = shared(
  async (options: Parameters<typeof createTestOperator>[0]) =>
    (await createTestOperator(options)).headers,
);
const sharedSecondStore = shared(async () => secondStore((await sharedApp()).store));

/** A store, and the credentials that an operation wants. */
async function callerOf(operation: (typeof operations)[number], store = sharedStore) {
  const { alias, headers } = await store();
  return { alias, headers: await headersFor(operation, headers) };
}

type Credentials = Record<string, string>;

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

/** The headers of an app that no operation accepts. */
const wrongApps: [why: string, headers: (own: ConnectedTestApp) => Promise<Credentials>][] = [
  ['without X-Partner-Client-ID', async ({ tokens }) => bearerOf(tokens.access_token)],
  [
    'with the client id of another app',
    async ({ headers }) => ({ ...headers, 'X-Partner-Client-ID': 'demo-app' }),
  ],
  [
    'with an expired token',
    async ({ headers, tokens }) => {
      const claims = await verifyAccessToken(settings.tokenKeys, tokens.access_token, Date.now());
      const expired = { ...claims!, expiresAt: Date.now() };
      return { ...headers, ...bearerOf(await mintAccessToken(settings.tokenKeys, expired)) };
    },
  ],
  [
    'with a refresh token',
    async ({ headers, tokens }) => ({ ...headers, ...bearerOf(tokens.refresh_token) }),
  ],
  [
    'with a token one character off',
    async ({ headers, tokens }) => ({
      ...headers,
      ...bearerOf(tokens.access_token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
    }),
  ],
  [
    'with an API key beside a valid token',
    async ({ headers, store }) => ({ ...headers, ...store.headers }),
  ],
];

/** Callers who may not call the operations of operators. */
const otherThanOperators: [who: string, headers: () => Promise<Credentials>][] = [
  ['an app', async () => (await sharedApp()).headers],
  ['the owner of a store', async () => (await sharedStore()).headers],
  ['a user who is no operator', () => lackingOperator({ isOperator: false })],
  ['an operator without a second factor', () => lackingOperator({ hasSecondFactor: false })],
  [
    'an operator whose key is not for operators',
    () => lackingOperator({ isKeyForOperators: false }),
  ],
];

const ofOperators = operations.filter(({ access }) => access === 'operator');
const withPathParams = operations.filter(({ pathParams }) => pathParams.length > 0);
const withBody = operations.filter(({ body }) => body);

describe.each(operations.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    it.each(kindsFor(operation, operations, wrongCredentials))(
      'returns 401 %s',
      async (_why, headers) => {
        const { alias, headers: own } = await sharedStore();
        const response = await callApi(operation.method, pathOf(operation.path, alias), {
          headers: headers(own),
          ...bodyOf(operation),
        });
        expect(response.status).toBe(401);
        expect(response.body).toMatchObject(unauthenticated);
        expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
      },
    );

    it.each(kindsFor(operation, operations, wrongApps))(
      'returns 401 for an app %s',
      async (_why, headers) => {
        const own = await sharedApp();
        const response = await callApi(operation.method, pathOf(operation.path, own.store.alias), {
          headers: await headers(own),
          ...bodyOf(operation),
        });
        expect([response.status, response.body]).toMatchObject([401, unauthenticated]);
      },
    );

    it('returns 401 for a revoked grant, before any other error', async () => {
      const own = await revokedApp();
      const response = await callApi(operation.method, pathOf(operation.path, own.store.alias), {
        headers: own.headers,
        ...bodyOf(operation),
      });
      expect([response.status, response.body]).toEqual([401, refusal(401, 'unauthenticated')]);
    });

    const { access } = operation;
    if (isScope(access)) {
      it('returns 403 and names the scope if the token lacks it', async () => {
        const others = scopes.filter((scope) => !coversScope(new Set([scope]), access));
        const { headers, store: own } = await sharedApp(others);
        const response = await callApi(operation.method, pathOf(operation.path, own.alias), {
          headers,
          ...bodyOf(operation),
        });
        expect(response.status).toBe(403);
        expect(response.body).toEqual(
          refusal(403, 'insufficient_scope', { scope: [`Requires ${access}.`] }),
        );
        expect(response.body.hint).toContain(access);
        expect(response.headers.get('WWW-Authenticate')).toBe(
          `Bearer error="insufficient_scope", scope="${access}"`,
        );
      });

      it('accepts a token that has only this scope', async () => {
        const { headers, store: own } = await sharedApp([access]);
        const response = await callApi(operation.method, pathOf(operation.path, own.alias), {
          headers,
          ...bodyOf(operation),
        });
        expect([401, 403, 500]).not.toContain(response.status);
      });
    }

    if (access === 'operator') {
      it.each(kindsFor(operation, ofOperators, otherThanOperators))(
        'returns 403 for everyone but an operator with a second factor and a key for operators: %s',
        async (_who, headers) => {
          // Local deployments do not require the second factor.
          const bindings = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
          const response = await callPathWithBindings(
            operation.method,
            pathOf(operation.path, ''),
            { headers: await headers(), bindings, ...bodyOf(operation) },
          );
          expect([response.status, response.body]).toEqual([403, refusal(403, 'operator_only')]);
        },
      );
    }

    it('returns 429 with Retry-After over the rate limit', async () => {
      const { alias, headers } = await sharedStore();
      const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
      const perMinute = { API_PER_MINUTE: '1', ME_PER_MINUTE: '1' } as unknown as Partial<Env>;
      const bindings = { API_LIMIT: limiter, ME_LIMIT: limiter, ...perMinute };
      const response = await callPathWithBindings(operation.method, pathOf(operation.path, alias), {
        headers,
        bindings,
      });
      expect(response.status).toBe(429);
      expect(response.headers.get('RateLimit')).toBe('"credential";r=0;t=60');
      expect(response.headers.get('RateLimit-Policy')).toBe('"credential";q=1;w=60');
    });

    it('returns 503 with Retry-After while the database does not respond', async () => {
      const { alias, headers, userId } = await silentStore();
      evictApiKeysOfUser(userId);
      const lost = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'));
      const statement = { bind: () => statement, all: lost, raw: lost, run: lost, first: lost };
      const silent = fakeDatabase({ prepare: () => statement, batch: lost });
      const bindings = { DIRECTORY: silent };
      const response = await callPathWithBindings(operation.method, pathOf(operation.path, alias), {
        headers,
        bindings,
      });
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('2');
    });

    if (operation.isStoreScoped) {
      it('returns 403 for a token on any other alias, including another store of the same user', async () => {
        const own = await sharedApp();
        for (const alias of [await sharedSecondStore(), 'no-such-store']) {
          const path = pathOf(operation.path, alias);
          const response = await callApi(operation.method, path, {
            headers: own.headers,
            ...bodyOf(operation),
          });
          expect([response.status, response.body], alias).toEqual([403, forbidden]);
        }
      });

      it.each<[why: string, alias: () => Promise<string> | string]>([
        ['for the store of another user', async () => (await otherStore()).alias],
        ['for a store that does not exist', () => 'no-such-store'],
      ])('returns 403 %s', async (_why, alias) => {
        const { headers } = await sharedStore();
        const response = await callApi(operation.method, pathOf(operation.path, await alias()), {
          headers,
          ...bodyOf(operation),
        });
        expect(response.status).toBe(403);
        expect(response.body).toEqual(forbidden);
      });

      it('returns 403 for an inactive store', async () => {
        const { alias, headers } = await inactiveStore();
        const response = await callApi(operation.method, pathOf(operation.path, alias), {
          headers,
          ...bodyOf(operation),
        });
        expect(response.status).toBe(403);
        expect(response.body).toEqual(forbidden);
      });
    }

    if (operation.pathParams.length > 0) {
      // Numbers of databases begin at 0.
      const mayBeZero = operation.pathParams.every((name) => name === 'number');
      const malformed = ['-1', '1.0', '007', 'abc', '9007199254740992', '1e3', '%20'];
      const kinds = [...malformed, ...(mayBeZero ? [] : ['0'])];
      it.each(kindsFor(operation, withPathParams, kinds))(
        `returns ${operation.errors.includes(400) ? 400 : 404} for the id %s`,
        async (id) => {
          const { alias, headers } = await callerOf(operation);
          const path = pathOf(operation.path, alias, id);
          const response = await callApi(operation.method, path, { headers, ...bodyOf(operation) });
          expect([response.status, response.body.code]).toEqual(
            operation.errors.includes(400) ? [400, 'invalid_id'] : [404, 'not_found'],
          );
        },
      );

      if (mayBeZero && operation.body) {
        it('returns 422 for an invalid body at the number 0', async () => {
          const { alias, headers } = await callerOf(operation);
          const path = pathOf(operation.path, alias, '0');
          const response = await callApi(operation.method, path, { headers, ...bodyOf(operation) });
          expect([response.status, response.body.code]).toEqual([422, 'invalid_body']);
        });
      }

      it('returns 404 for a record that this store does not have', async () => {
        const { alias, headers } = await callerOf(operation, simulatedStore);
        // The largest id, which no record reaches.
        const response = await callApi(
          operation.method,
          pathOf(operation.path, alias, '9007199254740991'),
          {
            headers,
            ...(operation.body ? { body: publishedBody(operation).example } : {}),
          },
        );
        expect(response.status).toBe(404);
      });
    }

    if (operation.query?.names.includes('limit')) {
      it('returns 400 for the limit 0', async () => {
        const { alias, headers } = await callerOf(operation);
        const response = await callApi(
          operation.method,
          `${pathOf(operation.path, alias)}?limit=0`,
          {
            headers,
          },
        );
        expect(response.status).toBe(400);
        expect(response.body).toMatchObject({
          code: 'invalid_query',
          errors: { limit: ['Must be a whole number from 1.'] },
        });
      });
    }

    if (operation.body) {
      it('returns 415 for a body that is not JSON', async () => {
        const { alias, headers } = await callerOf(operation);
        const response = await callApi(operation.method, pathOf(operation.path, alias), {
          headers: { ...headers, 'Content-Type': 'text/plain' },
          raw: '{}',
        });
        expect([response.status, response.body.code]).toEqual([415, 'unsupported_media_type']);
        expect(response.body.hint).toBe(
          'Send the body with the header Content-Type: application/json.',
        );
        expect(response.headers.get('Accept')).toBe('application/json');
      });

      it.each(kindsFor(operation, withBody, ['{', '[1,', 'nul']))(
        'returns 400 for malformed JSON: %s',
        async (raw) => {
          const { alias, headers } = await callerOf(operation);
          const response = await callApi(operation.method, pathOf(operation.path, alias), {
            headers,
            raw,
          });
          expect(response.status).toBe(400);
          expect(response.body).toMatchObject({
            code: 'malformed_body',
            errors: { body: ['Must be valid JSON.'] },
          });
        },
      );

      it('returns 413 for more than 1 MiB', async () => {
        const { alias, headers } = await callerOf(operation);
        const raw = JSON.stringify({ name: 'x'.repeat(1_048_576) });
        const response = await callApi(operation.method, pathOf(operation.path, alias), {
          headers,
          raw,
        });
        expect([response.status, response.body.code]).toEqual([413, 'body_too_large']);
      });

      it.each(kindsFor(operation, withBody, [[[]], ['text'], [null], [7]]))(
        'rejects a body that is not an object: %j',
        async (body) => {
          const { alias, headers } = await callerOf(operation);
          const response = await callApi(operation.method, pathOf(operation.path, alias), {
            headers,
            body,
          });
          expect([400, 422]).toContain(response.status);
          expect(response.body.errors).toEqual({ body: ['Must be an object.'] });
        },
      );
    }
  },
);

describe('paths', () => {
  it('returns 404 for an unknown path before it checks credentials', async () => {
    const { status, body } = await callApi('GET', '/v2/demo/catalog/nothing');
    expect([status, body]).toEqual([404, refusal(404, 'unknown_path')]);
  });

  it('returns the status of GET for HEAD, without a body', async () => {
    const { alias, headers } = await createTestStore();
    const url = `https://api.test/v2/${alias}/catalog/brands`;
    const response = await exports.default.fetch(url, { method: 'HEAD', headers });
    expect([response.status, await response.text()]).toEqual([200, '']);
    const rejected = await exports.default.fetch(url, { method: 'HEAD' });
    expect(rejected.status).toBe(401);
  });

  it('returns 404 for a trailing slash', async () => {
    expect((await callApi('GET', '/v2/demo/catalog/brands/')).status).toBe(404);
  });

  it.each([
    ['PATCH', '/v2/demo/catalog/brands', 'GET, POST'],
    ['GET', '/v2/auth/me', 'POST'],
    ['POST', '/v2/demo/catalog/brands/1', 'GET, PUT, DELETE'],
    ['PUT', '/v2/demo/webhooks/events', 'GET'],
  ])('returns 405 for %s %s before it checks credentials', async (method, path, allow) => {
    const response = await callApi(method, path);
    expect([response.status, response.body.code]).toEqual([405, 'method_not_allowed']);
    expect(response.headers.get('Allow')).toBe(allow);
    expect(response.body.hint).toContain(allow);
  });
});

/** Another store that the owner of a store manages. */
async function secondStore({ userId }: TestStore): Promise<string> {
  const other = await createTestStore();
  await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', ?)`)
    .bind(userId, other.id, Date.now())
    .run();
  return other.alias;
}
