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
    it('returns 400 for an unknown query parameter in a strict request, else names it in X-Warning', async () => {
      const { alias, headers: own, ids } = await sharedStore();
      const headers = await headersFor(operation, own);
      const path = pathWithIds(operation, (kind) =>
        operation.method === 'GET' ? (ids[kind] ?? 1) : unknownId(kind),
      );
      const url = `/v2${operation.isStoreScoped ? `/${alias}` : ''}${path}?colour=red&caf%C3%A9=1`;
      const strict = { ...headers, Prefer: 'handling=strict' };
      const refused = await callApi(operation.method, url, { headers: strict });
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        { colour: ['Unknown parameter.'], café: ['Unknown parameter.'] },
      ]);
      const lenient = await callApi(operation.method, url, { headers });
      expect(lenient.headers.get('X-Warning')).toBe(
        'Unknown query parameter ignored: colour, 1 more',
      );
      const known = await callApi(operation.method, url.replace(/\?.*/, ''), { headers });
      expect([known.status, known.headers.get('X-Warning')]).toEqual([lenient.status, null]);
    });

    it('names parameters of lists and relations that it does not have', async () => {
      const { alias, headers: own, ids } = await sharedStore();
      const headers = await headersFor(operation, own);
      const path = pathWithIds(operation, (kind) =>
        operation.method === 'GET' ? (ids[kind] ?? 1) : unknownId(kind),
      );
      const url = `/v2${operation.isStoreScoped ? `/${alias}` : ''}${path}`;
      const known = operation.query?.names ?? [];
      const foreign = ['page', 'limit', 'search', 'orderBy'].filter(
        (name) => !known.includes(name),
      );
      const query = [...foreign.map((name) => `${name}=none`), 'include=colours'].join('&');
      const parameters = [...foreign, ...(known.includes('include') ? [] : ['include'])];
      const { headers: answered } = await callApi(operation.method, `${url}?${query}`, { headers });
      expect(answered.get('X-Warning')).toBe(
        [
          ...(parameters.length > 0
            ? [`Unknown query parameter ignored: ${parameters.join(', ')}`]
            : []),
          ...(known.includes('include') ? ['Unknown relation ignored: colours'] : []),
        ].join(', '),
      );
    });
  },
);
