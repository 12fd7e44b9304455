import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { covers, scopes } from '../../src/access/scopes.ts';
import { mintAccessToken, verifyAccessToken } from '../../src/access/access-token.ts';
import { settingsOf } from '../../src/settings.ts';
import { disconnectApp } from '../../src/oauth/disconnect-app.ts';
import { sections } from '../../src/operations.ts';
import { call } from '../support/api.ts';
import { callAt } from '../support/counted.ts';
import { connect } from '../support/partner.ts';
import { publishedBody } from '../support/published-body.ts';
import { store, type TestStore } from '../support/store.ts';

const operations = sections.flatMap((section) => section.operations);

const pathOf = (path: string, alias: string, id = '1') =>
  `/v2${path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, id)}`;

/** Enough for the media type check; refusals come before the body is looked at. */
const bodyOf = (row: (typeof operations)[number]) => (row.body ? { body: {} } : {});

const settings = settingsOf(env);
const bearerOf = (token: string) => ({ Authorization: `Bearer ${token}` });

const unauthenticated = { message: 'Unauthenticated.', status_code: 401 };
const forbidden = { message: '403 Forbidden', status_code: 403 };

describe.each(operations.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  it.each<[why: string, headers: (own: Record<string, string>) => Record<string, string>]>([
    ['without credentials', () => ({})],
    ['with half a pair', (own) => ({ 'User-Token': own['User-Token']! })],
    ['with the other half', (own) => ({ 'User-Secret-Key': own['User-Secret-Key']! })],
    ['with an empty secret', (own) => ({ ...own, 'User-Secret-Key': '' })],
    ['with a wrong secret', (own) => ({ ...own, 'User-Secret-Key': 'sk-wrong' })],
    ['with an unknown token', (own) => ({ ...own, 'User-Token': 'nobody' })],
    ['with a token that nobody issued', () => ({ Authorization: 'Bearer made-up' })],
    ['with both kinds of credentials', (own) => ({ ...own, Authorization: 'Bearer made-up' })],
  ])('401 %s', async (_why, headers) => {
    const { alias, headers: own } = await store();
    const answer = await call(row.verb, pathOf(row.path, alias), {
      headers: headers(own),
      ...bodyOf(row),
    });
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual(unauthenticated);
    expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
  });

  it('401 for an app whose token or client id is not right', async () => {
    const own = await connect(await store());
    const { headers, tokens } = own;
    const claims = await verifyAccessToken(settings.tokenKeys, tokens.access_token, Date.now());
    const expired = await mintAccessToken(settings.tokenKeys, {
      ...claims!,
      expiresAt: Date.now(),
    });
    const refused: Record<string, Record<string, string>> = {
      'without X-Partner-Client-ID': bearerOf(tokens.access_token),
      'with the client id of another app': { ...headers, 'X-Partner-Client-ID': 'demo-app' },
      'with an expired token': { ...headers, ...bearerOf(expired) },
      'with a refresh token': { ...headers, ...bearerOf(tokens.refresh_token) },
      'with a token one character off': {
        ...headers,
        ...bearerOf(tokens.access_token.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))),
      },
      'with a header pair beside a good token': { ...headers, ...own.store.headers },
    };
    for (const [why, sent] of Object.entries(refused)) {
      const path = pathOf(row.path, own.store.alias);
      const answer = await call(row.verb, path, { headers: sent, ...bodyOf(row) });
      expect([answer.status, answer.body], why).toEqual([401, unauthenticated]);
    }
  });

  it('401 for a revoked grant, before any other refusal', async () => {
    const own = await connect(await store());
    await disconnectApp(env, { id: own.store.id, shard: 0 }, own.app.client_id, Date.now());
    const answer = await call(row.verb, pathOf(row.path, own.store.alias), {
      headers: own.headers,
      ...bodyOf(row),
    });
    expect([answer.status, answer.body]).toEqual([401, unauthenticated]);
  });

  if (row.access !== 'signed-in') {
    const { access } = row;
    it('403 for a token without the scope, naming it', async () => {
      const others = scopes.filter((scope) => !covers(new Set([scope]), access));
      const { headers, store: own } = await connect(await store(), { scopes: others });
      const answer = await call(row.verb, pathOf(row.path, own.alias), { headers, ...bodyOf(row) });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual({ ...forbidden, errors: { scope: [`Needs ${access}.`] } });
      expect(answer.headers.get('WWW-Authenticate')).toBe(
        `Bearer error="insufficient_scope", scope="${access}"`,
      );
    });

    it('lets a token in that has this scope alone', async () => {
      const { headers, store: own } = await connect(await store(), { scopes: [access] });
      const answer = await call(row.verb, pathOf(row.path, own.alias), { headers, ...bodyOf(row) });
      expect([401, 403, 500]).not.toContain(answer.status);
    });
  }

  it('429 over the limit, with the time to wait', async () => {
    const { alias, headers } = await store();
    const limiter: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const perMinute = { API_PER_MINUTE: '1', ME_PER_MINUTE: '1' } as unknown as Partial<Env>;
    const bindings = { API_LIMIT: limiter, ME_LIMIT: limiter, ...perMinute };
    const answer = await callAt(row.verb, pathOf(row.path, alias), { headers, bindings });
    expect(answer.status).toBe(429);
    expect(answer.headers.get('Retry-After')).toBe('60');
  });

  it('503 while the database does not answer, with the time to wait', async () => {
    const { alias, headers } = await store();
    const lost = () => Promise.reject(new Error('D1_ERROR: Network connection lost.'));
    const statement = { bind: () => statement, all: lost, raw: lost, run: lost, first: lost };
    const silent = { prepare: () => statement, batch: lost } as unknown as D1Database;
    const bindings = { DIRECTORY: silent };
    const answer = await callAt(row.verb, pathOf(row.path, alias), { headers, bindings });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('Retry-After')).toBe('2');
  });

  if (row.isOfStore) {
    it('403 for a token on any other alias, another store of the same user included', async () => {
      const own = await connect(await store());
      for (const alias of [await secondStore(own.store), 'no-such-store']) {
        const path = pathOf(row.path, alias);
        const answer = await call(row.verb, path, { headers: own.headers, ...bodyOf(row) });
        expect([answer.status, answer.body], alias).toEqual([403, forbidden]);
      }
    });

    it.each<[why: string, alias: () => Promise<string> | string]>([
      ['for the store of somebody else', async () => (await store()).alias],
      ['for a store that does not exist', () => 'no-such-store'],
    ])('403 %s', async (_why, alias) => {
      const { headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, await alias()), {
        headers,
        ...bodyOf(row),
      });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(forbidden);
    });

    it('403 for an inactive store', async () => {
      const { alias, headers } = await store({ active: false });
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, ...bodyOf(row) });
      expect(answer.status).toBe(403);
      expect(answer.body).toEqual(forbidden);
    });
  }

  if (row.idNames.length > 0) {
    it.each(['0', '-1', '1.0', '007', 'abc', '9007199254740992', '1e3', '%20'])(
      `${row.rejects.includes(400) ? 400 : 404} for the id %s`,
      async (id) => {
        const { alias, headers } = await store();
        const path = pathOf(row.path, alias, id);
        const answer = await call(row.verb, path, { headers, ...bodyOf(row) });
        expect(answer.status).toBe(row.rejects.includes(400) ? 400 : 404);
      },
    );

    it('404 for a record that this store does not have', async () => {
      const { alias, headers } = await store();
      // The largest id: nobody gets that far.
      const answer = await call(row.verb, pathOf(row.path, alias, '9007199254740991'), {
        headers,
        ...(row.body ? { body: publishedBody(row).example } : {}),
      });
      expect(answer.status).toBe(404);
    });
  }

  if (row.query) {
    it('400 for a page that is none', async () => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, `${pathOf(row.path, alias)}?page=0`, { headers });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual({ page: ['Must be a whole number from 1.'] });
    });

    it('400 for an unknown parameter only when the caller is strict', async () => {
      const { alias, headers } = await store();
      const strict = { ...headers, Prefer: 'handling=strict' };
      const path = `${pathOf(row.path, alias)}?colour=red`;
      expect((await call(row.verb, path, { headers: strict })).body.errors).toEqual({
        colour: ['Unknown parameter.'],
      });
      const body = row.body && row.verb !== 'GET' ? { body: publishedBody(row).example } : {};
      const lenient = await call(row.verb, path, { headers, ...body });
      expect(lenient.status).not.toBe(400);
      expect(lenient.headers.get('X-Warning')).toContain('colour');
    });
  }

  if (row.body) {
    it('415 for a body that is not JSON', async () => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, alias), {
        headers: { ...headers, 'Content-Type': 'text/plain' },
        raw: '{}',
      });
      expect(answer.status).toBe(415);
      expect(answer.headers.get('Accept')).toBe('application/json');
    });

    it.each(['{', '[1,', 'nul'])('400 for malformed JSON: %s', async (raw) => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, raw });
      expect(answer.status).toBe(400);
      expect(answer.body.errors).toEqual({ body: ['Must be valid JSON.'] });
    });

    it('413 for more than a mebibyte', async () => {
      const { alias, headers } = await store();
      const raw = JSON.stringify({ name: 'x'.repeat(1_048_576) });
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, raw });
      expect(answer.status).toBe(413);
    });

    it.each([[[]], ['text'], [null], [7]])('refuses a root that is no object: %j', async (body) => {
      const { alias, headers } = await store();
      const answer = await call(row.verb, pathOf(row.path, alias), { headers, body });
      expect([400, 422]).toContain(answer.status);
      expect(answer.body.errors).toEqual({ body: ['Must be an object.'] });
    });
  }
});

describe('paths', () => {
  it('404 for an unknown path, whoever asks', async () => {
    const { status, body } = await call('GET', '/v2/demo/catalog/nothing');
    expect([status, body]).toEqual([404, { message: '404 Not Found', status_code: 404 }]);
  });

  it('answers HEAD like GET, without a body', async () => {
    const { alias, headers } = await store();
    const url = `https://api.test/v2/${alias}/catalog/brands`;
    const answer = await exports.default.fetch(url, { method: 'HEAD', headers });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
    const refused = await exports.default.fetch(url, { method: 'HEAD' });
    expect(refused.status).toBe(401);
  });

  it('404 for a trailing slash', async () => {
    expect((await call('GET', '/v2/demo/catalog/brands/')).status).toBe(404);
  });

  it.each([
    ['PATCH', '/v2/demo/catalog/brands', 'GET, POST'],
    ['GET', '/v2/auth/me', 'POST'],
    ['POST', '/v2/demo/catalog/brands/1', 'GET, PUT, DELETE'],
    ['PUT', '/v2/demo/webhooks/events', 'GET'],
  ])('405 for %s %s, without a look at the credentials', async (method, path, allow) => {
    const answer = await call(method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.get('Allow')).toBe(allow);
  });
});

/** Another store that the owner of a store manages. */
async function secondStore({ userId }: TestStore): Promise<string> {
  const other = await store();
  await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', ?)`)
    .bind(userId, other.id, Date.now())
    .run();
  return other.alias;
}
