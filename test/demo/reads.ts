import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { demoStores, pairs } from '../../src/demo/people.ts';
import { seed } from '../../src/demo/seed.ts';
import { sections } from '../../src/operations.ts';
import { apiOf } from '../support/api.ts';
import { measured } from '../support/counted.ts';
import type { TestStore } from '../support/store.ts';

const reads = sections
  .flatMap((section) => section.operations)
  .filter((row) => row.verb === 'GET' && row.isOfStore);

const [{ alias }] = demoStores;
const [{ token, secret }] = pairs;
const headers = { 'User-Token': token, 'User-Secret-Key': secret };
const demo: TestStore = { id: 1, userId: 1, alias, headers, api: apiOf(alias, headers) };

/** The path with the id of a record that the demo store has. */
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

/** Tests on the demo store, which its own test makes first: two files would make it twice. */
export function describeReads(): void {
  describe('a read', () => {
    beforeAll(() => seed(env, Date.now()));

    it.each(reads.map((row) => [row.route, row] as const))(
      '%s is one round trip, whatever it includes and however long its page is',
      async (_route, row) => {
        const path = await pathOf(row.path);
        if (path === undefined) return;
        const documented = row.query?.parameters.find(({ name }) => name === 'include');
        const include = /commas: (.*)\.$/.exec(documented?.description ?? '')?.[1] ?? '';
        const costs = [];
        for (const query of row.query
          ? ['?limit=1', `?limit=100&include=${include.replaceAll(' ', '')}`]
          : ['']) {
          const { data, directory } = await measured(demo, `GET ${path}${query}`);
          costs.push(data.statements);
          expect(data.trips, path).toBeLessThanOrEqual(1);
          expect(directory.trips, path).toBeLessThanOrEqual(1);
        }
        expect(new Set(costs).size, `${path}: ${costs.join(', ')} statements`).toBe(1);
      },
    );
  });
}
