import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { getOpenApiDocument } from '../../src/docs/openapi-document.ts';
import { fingerprintRequest, IdempotentRequest } from '../../src/http/access/idempotent-request.ts';
import { pathUnder } from '../../src/http/operation.ts';
import { acceptsIdempotencyKey, repliesAsShown, type Operation } from '../../src/http/operation.ts';
import { canonicalBody } from '../../src/http/read-request.ts';
import { callApi } from '../support/api/client.ts';
import { idempotencyKeysOf } from '../support/api/idempotency.ts';
import { operations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { openStoreDb } from '../support/fixtures/store-db.ts';
import '../support/fixtures/first-shard.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { shared } from '../support/shared.ts';
import { kindsFor } from '../support/slow.ts';

const keyedOperations = operations.filter(acceptsIdempotencyKey);
const { checkKey, sealingKeys } = settingsOf(env);
const newKey = () => `"${crypto.randomUUID()}"`;

/** A store in which each test has an idempotency key of its own. */
const sharedStore = shared(() => createTestStore());

/** A store in which no request uses up its key. */
const storeWithoutKeys = shared((test: boolean) => createTestStore({ test }));

/** The id of the only API key of a user. */
const apiKeyOf = shared(async (userId: number) => {
  const pair = await env.DIRECTORY.prepare('select id from api_keys where user_id = ?')
    .bind(userId)
    .first<{ id: number }>();
  return pair!.id;
});

const malformedKeys: [why: string, malformed: string][] = [
  ['is empty', ''],
  ['has 256 characters', 'x'.repeat(256)],
  ['has a tab', 'chave\t1'],
];

/** Requests that were executed, whose response is not there. */
const unstored = [
  { why: 'is not stored yet', ageMs: 0, code: 'request_under_way', retryAfter: '1' },
  { why: 'was lost', ageMs: 30_000, code: 'answer_lost', retryAfter: null },
];

/** The largest id, which no record reaches. */
const unusedId = '9007199254740991';
const pathOf = ({ path }: Operation, { alias }: TestStore) =>
  `/v2${path
    .replace('{alias}', alias)
    .replace('{event_id}', `evt_${'f'.repeat(46)}`)
    .replaceAll(/\{\w+\}/g, unusedId)}`;

const bodyOf = (operation: Operation): { body?: unknown; raw?: string } => {
  if (operation.upload) return { raw: '{"name":"Shirt"}\n' };
  return operation.body ? { body: publishedBody(operation).example } : {};
};

/** The bytes that represent the body in the comparison of requests. */
async function comparedBytes(operation: Operation): Promise<Uint8Array> {
  const { body, raw } = bodyOf(operation);
  const text = new TextEncoder().encode(raw ?? (body === undefined ? '' : JSON.stringify(body)));
  // A file is compared by its digest.
  if (operation.upload) return new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return canonicalBody(text);
}

/** The success example of the OpenAPI document, as JSON. */
function exampleOf({ path, method, reply }: Operation): string {
  const { responses } = getOpenApiDocument(env.SERVICE_NAME, '/v2').paths[path]![
    method.toLowerCase()
  ]!;
  const success = responses[reply.status];
  const media = success && 'content' in success ? success.content?.['application/json'] : undefined;
  return JSON.stringify(media?.example);
}

/**
 * Executes the request of {@link repeat} with a stub instead of the operation, which returns the
 * documented example. Without `isStored` its response is lost.
 */
async function execute(
  testStore: TestStore,
  operation: Operation,
  key: string,
  { at = Date.now(), isStored = true } = {},
) {
  const db = openStoreDb(testStore, at);
  const bytes = await comparedBytes(operation);
  const sent = {
    idempotencyKey: key,
    method: operation.method,
    address: pathUnder(pathOf(operation, testStore), testStore.id),
    body: bytes,
  };
  const caller = { key: `api_key:${await apiKeyOf(testStore.userId)}` };
  const request = await fingerprintRequest(caller, sent, checkKey);
  const idempotentRequest = new IdempotentRequest(db, request, sealingKeys);
  const response = {
    status: operation.reply.status,
    // A change whose reply is the record as it is shown has its tag.
    headers: repliesAsShown(operation)
      ? { ETag: '"stub"', 'Cache-Control': 'private, no-store, no-transform' }
      : {},
    body: exampleOf(operation),
    warnings: [],
  };
  const storing: Promise<void>[] = [];
  const execute = () => Promise.resolve(response);
  await idempotentRequest.execute(execute, undefined, (work) => storing.push(work));
  await Promise.all(storing);
  if (!isStored) {
    await env.STORE_0.prepare(
      'update idempotency_keys set response = null where store_id = ? and key = ?',
    )
      .bind(testStore.id, request.key)
      .run();
  }
  return response;
}

/** The key of a request that was executed with another method. */
const keyOfOther = shared(async (method: string) => {
  const key = newKey();
  const other = keyedOperations.find(({ method: verb }) => verb !== method);
  await execute(await sharedStore(), other!, key);
  return key;
});

const typeOf = ({ upload }: Operation) => upload && { 'Content-Type': upload.mediaType };

const repeat = (
  testStore: TestStore,
  operation: Operation,
  key: string,
  sent: object = bodyOf(operation),
) =>
  callApi(operation.method, pathOf(operation, testStore), {
    headers: { ...testStore.headers, ...typeOf(operation), 'Idempotency-Key': key },
    ...sent,
  });

describe.each(keyedOperations.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    it.each(kindsFor(operation, keyedOperations, malformedKeys))(
      'returns 400 for an idempotency key that %s',
      async (_why, malformed) => {
        const response = await repeat(await sharedStore(), operation, malformed);
        expect(response.status).toBe(400);
        expect(response.body.errors).toEqual({
          'Idempotency-Key': ['Must be 1 to 255 printable ASCII characters.'],
        });
      },
    );

    it(`returns ${operation.reply.status} again for a request that was executed`, async () => {
      const [testStore, key] = [await sharedStore(), newKey()];
      const { body } = await execute(testStore, operation, key);
      const response = await repeat(testStore, operation, key);
      expect([response.status, JSON.stringify(response.body)]).toEqual([
        operation.reply.status,
        body,
      ]);
      expect(response.headers.get('Idempotent-Replayed')).toBe('true');
    });

    it('returns 422 for the idempotency key of a different request', async () => {
      const testStore = await sharedStore();
      const key = await keyOfOther(operation.method);
      const response = await repeat(testStore, operation, key);
      expect([response.status, response.body.code]).toEqual([422, 'key_reused']);
    });

    it.each(kindsFor(operation, keyedOperations, unstored))(
      'returns 409 if the response $why',
      async ({ ageMs, code, retryAfter }) => {
        const [testStore, key] = [await sharedStore(), newKey()];
        await execute(testStore, operation, key, { isStored: false, at: Date.now() - ageMs });
        const response = await repeat(testStore, operation, key);
        expect([response.status, response.body.code]).toEqual([409, code]);
        expect(response.headers.get('Retry-After')).toBe(retryAfter);
      },
    );

    if (operation.pathParams.length > 0) {
      it('returns 404 without using up the idempotency key', async () => {
        const testStore = await storeWithoutKeys(true);
        expect((await repeat(testStore, operation, newKey())).status).toBe(404);
        expect(await idempotencyKeysOf(testStore)).toEqual([]);
      });
    }

    if (operation.body) {
      it('rejects a malformed body without using up the idempotency key', async () => {
        const testStore = await storeWithoutKeys(false);
        const malformed = { raw: '{' };
        expect((await repeat(testStore, operation, newKey(), malformed)).status).toBe(400);
        expect(await idempotencyKeysOf(testStore)).toEqual([]);
      });
    }
  },
);
