import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callApi } from '../support/api/client.ts';
import { callPathWithBindings } from '../support/api/measure.ts';
import { operations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { refusal } from '../support/api/refusal.ts';
import { createTestOperator, headersFor } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp } from '../support/oauth/partner.ts';
import { shared } from '../support/shared.ts';
import { kindsFor } from '../support/slow.ts';

const pathOf = (path: string, alias: string, id = '1') =>
  `/v2${path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, id)}`;

/** Enough for the media type check. These errors come before the body is read. */
const bodyOf = (operation: (typeof operations)[number]) => (operation.body ? { body: {} } : {});

const sharedStore = shared(() => createTestStore());
const simulatedStore = shared(() => createTestStore({ test: true }));
const sharedApp = shared(async () => connectApp(await createTestStore()));
const lackingOperator = shared(
  async (options: Parameters<typeof createTestOperator>[0]) =>
    (await createTestOperator(options)).headers,
);
/** A store, and the credentials that an operation wants. */
async function callerOf(operation: (typeof operations)[number], store = sharedStore) {
  const { alias, headers } = await store();
  return { alias, headers: await headersFor(operation, headers) };
}

/** Callers who may not call the operations of operators. */
const otherThanOperators: [who: string, headers: () => Promise<Record<string, string>>][] = [
  ['an app', async () => (await sharedApp()).headers],
  ['the owner of a store', async () => (await sharedStore()).headers],
  ['a user who is no operator', () => lackingOperator({ isOperator: false })],
  ['an operator without two-step sign-in', () => lackingOperator({ hasSecondFactor: false })],
  [
    'an operator whose key is not for operators',
    () => lackingOperator({ isKeyForOperators: false }),
  ],
];

const ofOperators = operations.filter(({ access }) => access === 'operator');
const withPathParams = operations.filter(({ pathParams }) => pathParams.length > 0);
const withBody = operations.filter(({ body }) => body);

const fallible = operations.filter(
  ({ access, pathParams, body, query }) =>
    access === 'operator' || pathParams.length > 0 || body || query?.names.includes('limit'),
);

describe.each(fallible.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    const { access } = operation;
    if (access === 'operator') {
      it.each(kindsFor(operation, ofOperators, otherThanOperators))(
        'returns 403 for everyone but an operator with two-step sign-in and a key for operators: %s',
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
            errors: { body: ['Must be valid JSON.', expect.stringMatching(/^At column \d+: /)] },
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

      it.each(kindsFor(operation, withBody, [[[{}]], ['text'], [null], [7]]))(
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
    ['PATCH', '/v2/demo/catalog/brands', 'GET, POST, QUERY'],
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
