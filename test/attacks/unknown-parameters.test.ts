import { describe, expect, it } from 'vitest';
import { eventIdExample } from '../../src/base/codecs/fields/ids.ts';
import { callApi } from '../support/api/client.ts';
import { operations } from '../support/api/operations.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import { headersFor } from '../support/fixtures/operator.ts';

let created: Promise<CompleteStore> | undefined;
const sharedStore = () => (created ??= createCompleteStore('mine'));

/** An id that no store has, so that nothing changes. */
const unknownId = (kind: string) => (kind === 'events' ? eventIdExample : 9_007_199_254_740_991);

describe.each(operations.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    const addressOf = async () => {
      const { alias, headers: own, ids } = await sharedStore();
      const path = pathWithIds(operation, (kind) =>
        operation.method === 'GET' ? (ids[kind] ?? 1) : unknownId(kind),
      );
      return {
        url: `/v2${operation.isStoreScoped ? `/${alias}` : ''}${path}`,
        headers: await headersFor(operation, own),
      };
    };

    it('returns 400 for an unknown query parameter in a strict request', async () => {
      const { url, headers } = await addressOf();
      const strict = { ...headers, Prefer: 'handling=strict' };
      const refused = await callApi(operation.method, `${url}?colour=red&caf%C3%A9=1`, {
        headers: strict,
      });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        { colour: ['Unknown parameter.'], café: ['Unknown parameter.'] },
      ]);
    });

    it('names parameters and relations that it does not have in X-Warning, else answers as without them', async () => {
      const { url, headers } = await addressOf();
      const known = operation.query?.names ?? [];
      // A search that a list does not have is refused (`filters.test.ts`).
      const isList = operation.method === 'GET' && operation.reply.isList;
      const foreign = ['page', 'limit', ...(isList ? [] : ['search']), 'orderBy'].filter(
        (name) => !known.includes(name),
      );
      const query = [...foreign.map((name) => `${name}=none`), 'include=colours'].join('&');
      const parameters = [...foreign, ...(known.includes('include') ? [] : ['include'])];
      const lenient = await callApi(operation.method, `${url}?${query}`, { headers });
      expect(lenient.headers.get('X-Warning')).toBe(
        [
          ...(parameters.length > 0
            ? [`Unknown query parameter ignored: ${parameters.join(', ')}`]
            : []),
          ...(known.includes('include') ? ['Unknown relation ignored: colours'] : []),
        ].join(', '),
      );
      const plain = await callApi(operation.method, url, { headers });
      expect([plain.status, plain.headers.get('X-Warning')]).toEqual([lenient.status, null]);
    });
  },
);

it('counts the rest of many unknown parameters in X-Warning', async () => {
  const { api } = await sharedStore();
  const { headers } = await api('GET /catalog/brands?colour=red&caf%C3%A9=1');
  expect(headers.get('X-Warning')).toBe('Unknown query parameter ignored: colour, 1 more');
});
