import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoStores, demoApiKeys } from '../../src/demo/seed/account-data.ts';
import { seedDemo } from '../../src/demo/seed/seed.ts';
import { createApiClient } from '../support/api/client.ts';
import { measureRequest } from '../support/api/measure.ts';
import { operations } from '../support/api/operations.ts';
import type { TestStore } from '../support/fixtures/store.ts';

const reads = operations.filter(
  (operation) => operation.method === 'GET' && operation.isStoreScoped,
);

const [{ alias }] = demoStores;
const [{ token, secret }] = demoApiKeys;
const headers = { 'User-Token': token, 'User-Secret-Key': secret };
const demo: TestStore = {
  id: 1,
  shard: 0,
  userId: 1,
  alias,
  headers,
  api: createApiClient(alias, headers),
};

/** Returns the path with the ids of records that the demo store contains. */
async function pathOf(path: string): Promise<string | undefined> {
  const plain = path.replace('/{alias}', '');
  const [list = '', ...rest] = plain.split(/\{\w+\}/);
  if (rest.length === 0) return plain;
  const { body } = await demo.api(`GET ${list.replace(/\/$/, '')}?limit=1`);
  const id: number | undefined = body.data?.[0]?.id;
  if (id === undefined) return undefined;
  const own = `${list}${id}${rest[0] ?? ''}`;
  if (rest.length === 1) return own;
  const { body: children } = await demo.api(`GET ${own.replace(/\/$/, '')}?limit=1`);
  const child: { id?: number; seq?: number } | undefined = children.data?.[0];
  return child && `${own}${child.id ?? child.seq}${rest[1] ?? ''}`;
}

/**
 * Registers the tests of read costs on the demo store. The test of the seed calls it, so that the
 * demo is created once.
 */
export function describeReads(): void {
  describe('a read of the demo store', () => {
    beforeAll(() => seedDemo(env, Date.now()));

    it.each(reads.map((operation) => [operation.route, operation] as const))(
      '%s costs one round trip with any includes and page size',
      async (_route, operation) => {
        const path = await pathOf(operation.path);
        if (path === undefined) return;
        const parameter = operation.query?.parameters.find(({ name }) => name === 'include');
        const description = parameter?.description ?? 'Accepted';
        const include = /commas: (.*)\.$/.exec(description)?.[1] ?? '';
        expect(include !== '' || description.startsWith('Accepted'), description).toBe(true);
        const costs = [];
        for (const query of operation.query
          ? ['?limit=1', `?limit=100&include=${include.replaceAll(' ', '')}`]
          : ['']) {
          const { data, directory } = await measureRequest(demo, `GET ${path}${query}`);
          costs.push(data.statements);
          expect(data.roundTrips, path).toBeLessThanOrEqual(1);
          expect(directory.roundTrips, path).toBeLessThanOrEqual(1);
        }
        expect(new Set(costs).size, `${path}: ${costs.join(', ')} statements`).toBe(1);
      },
    );
  });
}
