import { env } from 'cloudflare:workers';
import { afterAll, describe, expect, it } from 'vitest';
import type { JsonSchema } from '../../../src/http/openapi/types.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { storeOperations } from '../../support/api/operations.ts';
import { publishedBody } from '../../support/api/published-body.ts';
import '../../support/fixtures/first-shard.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../../support/fixtures/complete-store.ts';
import { referredKinds, withOwnIds } from '../../support/fixtures/own-ids.ts';
import { doors } from '../../support/mcp/doors.ts';
import { shared } from '../../support/shared.ts';

/** In every text of the other store, and in no text of the own one. */
const foreignMark = 'zzforeign';

/**
 * The store of the attacker and the other one, with the rows of the other one before all attempts.
 */
const bothStores = shared(async () => {
  const own = await createCompleteStore('mine');
  const foreign = await createCompleteStore(foreignMark);
  return { own, foreign, before: await rowsOf(foreign) };
});

/** Members that end in `id` and are no ids of records of a store. */
const notReferences = new Set(['erp_id', 'status_id', 'stock_id']);

/** The members of a documented body that refer to records, as paths. */
function* references(schema: JsonSchema, path: readonly string[] = []): Generator<string[]> {
  for (const form of schema.anyOf ?? []) yield* references(form, path);
  if (schema.items) yield* references(schema.items, [...path, '0']);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (/(?:^|_)ids?$/.test(name) && !notReferences.has(name)) yield [...path, name];
    else yield* references(member, [...path, name]);
  }
}

/** Returns a copy of a body with one member replaced; creates the objects and lists around it. */
function withMember(body: unknown, [name = '', ...rest]: readonly string[], value: unknown) {
  const around: unknown = body ?? (name === '0' ? [] : {});
  const copy: Record<string, unknown> = Array.isArray(around)
    ? (Object.assign([], around) as unknown as Record<string, unknown>)
    : { ...(around as Record<string, unknown>) };
  // Two names of one field.
  if (name === 'product_ids' || name === 'products_ids') {
    delete copy.product_ids;
    delete copy.products_ids;
  }
  // Two ways to name what changes; a filter has only the member, which another one could hide.
  if (name === 'items' && 'filter' in copy) {
    for (const other of ['filter', 'variant', 'percent']) delete copy[other];
    copy.items = [{ price_sale: 1 }];
  }
  if (name === 'filter') {
    delete copy.variant;
    copy.filter = {};
  }
  copy[name] = rest.length === 0 ? value : withMember(copy[name], rest, value);
  return copy as unknown;
}

/** The tables with rows of stores. */
async function storeTables(): Promise<string[]> {
  const { results } = await env.STORE_0.prepare(
    `select name from sqlite_master where type = 'table' and sql like '%store_id%' order by name`,
  ).all<{ name: string }>();
  expect(results.length).toBeGreaterThan(40);
  return results.map(({ name }) => name);
}

/** All rows of a store, as text. */
async function rowsOf({ id }: CompleteStore): Promise<string> {
  const rows = await env.STORE_0.batch(
    (await storeTables()).map((name) =>
      env.STORE_0.prepare(`select * from ${name} where store_id = ?`).bind(id),
    ),
  );
  return JSON.stringify(rows.map(({ results }) => results));
}

/** The foreign keys by which a row of a store refers to a record of another store. */
async function crossingReferences({ id }: CompleteStore) {
  const tables = await storeTables();
  const keys = await env.STORE_0.batch<{ child: string; via: string; parent: string }>(
    tables.map((name) =>
      env.STORE_0.prepare(
        `select '${name}' as child, "from" as via, "table" as parent from pragma_foreign_key_list('${name}')`,
      ),
    ),
  );
  const between = keys
    .flatMap(({ results }) => results)
    .filter(({ parent }) => tables.includes(parent));
  expect(between.length).toBeGreaterThan(20);
  const counts = await env.STORE_0.batch<{ crossing: number }>(
    between.map(({ child, via, parent }) =>
      env.STORE_0.prepare(
        `select count(*) as crossing from ${child} c join ${parent} p on p.id = c.${via}
          where c.store_id = ?1 and p.store_id <> ?1`,
      ).bind(id),
    ),
  );
  return between.filter((_key, index) => counts[index]?.results[0]?.crossing !== 0);
}

const bodyOf = (operation: Operation, own: CompleteStore) =>
  operation.body ? withOwnIds(publishedBody(operation).example, own) : undefined;

/** Valid bodies of an operation, except that each names one record of another store. */
function foreignBodies(
  operation: Operation,
  own: CompleteStore,
  foreign: CompleteStore,
): unknown[] {
  if (!operation.body) return [];
  return [...references(publishedBody(operation).schema)].map((path) => {
    const name = path.at(-1) ?? '';
    const isCollection = name === 'parent_id' && operation.path.includes('collections');
    // The filters are those of the list of products.
    const isProduct = path.join('.') === 'filter.id';
    const kind = isCollection ? 'collections' : isProduct ? 'products' : referredKinds[name];
    if (kind === undefined) throw new Error(`${name} refers to an unknown kind`);
    const id = foreign.ids[kind] ?? 999_999_999;
    const body = withMember(bodyOf(operation, own), path, name.endsWith('ids') ? [id] : id);
    // An affiliation counts only beside a payment type.
    return name === 'affiliation_id' && operation.id === 'createOrder'
      ? withMember(body, ['payment_id'], own.ids.payments)
      : body;
  });
}

const ownPath = (operation: Operation, own: CompleteStore) =>
  pathWithIds(operation, (kind) => own.ids[kind] ?? 1);

/**
 * Ids that count within their parent record, so another store's number is no record of another
 * store.
 */
const countsWithinParent = new Set(['deliveries']);

const hasReferences = (operation: Operation) =>
  operation.body !== undefined && !references(publishedBody(operation).schema).next().done;

/** Whether every item of a bulk change failed. */
const failsByItem = ({ data }: { data?: unknown }) =>
  Array.isArray(data) && data.every((one: { status?: unknown }) => one.status === 'failed');

/** The operations that take an id or show records. */
const attackable = storeOperations.filter(
  (operation) =>
    operation.method === 'GET' || operation.pathParams.length > 0 || hasReferences(operation),
);

const subjects = doors.flatMap((door) =>
  door
    .sample(attackable.filter((operation) => door.operations.includes(operation)))
    .map((operation) => [door.over, operation.route, door, operation] as const),
);

describe.each(subjects)('over %s: %s', (_over, _route, door, operation) => {
  const apiOf = ({ alias, headers }: CompleteStore) => door.client(alias, headers);

  if (operation.pathParams.length > 0) {
    it('returns 404 for each id of another store in the path, and for all of them', async () => {
      const { own, foreign } = await bothStores();
      const api = apiOf(own);
      const paths = [pathWithIds(operation, (kind) => foreign.ids[kind] ?? 1)];
      const oneForeign = operation.pathParams.length > 1 ? operation.pathParams : [];
      for (const position of oneForeign.keys()) {
        let isSame = false;
        const path = pathWithIds(operation, (kind, at) => {
          if (at === position) isSame = countsWithinParent.has(kind);
          return (at === position ? foreign : own).ids[kind] ?? 1;
        });
        if (!isSame) paths.push(path);
      }
      for (const path of paths) {
        const body = bodyOf(operation, own);
        const response = await api(`${operation.method} ${path}`, body);
        expect([response.status, JSON.stringify(response.body)], path).toEqual([
          404,
          expect.not.stringContaining(foreignMark),
        ]);
      }
    });
  }

  if (hasReferences(operation)) {
    it('refuses each reference to a record of another store in the body', async () => {
      const { own, foreign } = await bothStores();
      const api = apiOf(own);
      const request = `${operation.method} ${ownPath(operation, own)}`;
      for (const body of door.sample(foreignBodies(operation, own, foreign))) {
        const response = await api(request, body);
        const why = `${request} ${JSON.stringify(body)}: ${JSON.stringify(response.body)}`;
        // A filter by a foreign id finds nothing, and a link that does not exist is already
        // removed.
        const isHarmless =
          ['GET', 'DELETE'].includes(operation.method) || failsByItem(response.body);
        const harmless = isHarmless ? [200] : [];
        expect([400, 404, 409, 422, ...harmless], why).toContain(response.status);
        expect(JSON.stringify(response.body)).not.toContain(foreignMark);
      }
    });
  }

  if (operation.method === 'GET') {
    it('shows nothing of another store, whatever the query asks for', async () => {
      const { own, foreign } = await bothStores();
      const api = apiOf(own);
      const path = ownPath(operation, own);
      const names = operation.query?.names ?? [];
      const queries = names.flatMap((name) => {
        const kind = referredKinds[name.replace('[]', '')];
        if (kind !== undefined) return [`${name}=${foreign.ids[kind]}`];
        if (name === 'cursor') return [`cursor=${foreign.ids.replays}`];
        if (name === 'after_id') return [`after_id=${foreign.ids.events}`];
        return ['search', 'q', 'name', 'slug'].includes(name) ? [`${name}=${foreignMark}`] : [];
      });
      // A tool refuses an argument that it does not have.
      const statuses = door.over === 'MCP' ? [200, 400, 404, 422] : [200, 400, 404];
      for (const query of ['', 'limit=100', ...door.sample(queries)]) {
        const response = await api(`GET ${path}?${query}`);
        expect(statuses, query).toContain(response.status);
        const answer = JSON.stringify(response.body.data ?? response.body);
        expect(answer, query).not.toContain(foreignMark);
      }
    });
  }
});

/**
 * Asserts that the other store is as it was, and that no row refers to a record of another store.
 */
async function expectUntouched() {
  const { own, foreign, before } = await bothStores();
  expect(await rowsOf(foreign)).toBe(before);
  expect(await crossingReferences(own)).toEqual([]);
  expect(await crossingReferences(foreign)).toEqual([]);
}

afterAll(expectUntouched);
