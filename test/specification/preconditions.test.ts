import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { showsRecord, type Operation } from '../../src/http/operation.ts';
import { callWithBindings } from '../support/api/measure.ts';
import { conditionalChanges, storeOperations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { fakeDatabase } from '../support/fakes/fake-database.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import '../support/fixtures/first-shard.ts';
import { withOwnIds } from '../support/fixtures/own-ids.ts';

const shows = storeOperations.filter(showsRecord);

/**
 * Valid bodies where the example of the document asks for something that the state of the record
 * does not allow.
 */
const otherBodies: Record<string, object> = {
  updateOrder: { track_code: 'BR1' },
  updateOrderInvoice: { value: 2 },
};

const stale = '"AAAAAAAAAAAAAAAAAAAAAA"';

let shop: CompleteStore;
let configuration: number;
beforeAll(async () => {
  shop = await createCompleteStore('precondition');
  const payments = await shop.api('GET /checkout/payments');
  configuration = payments.body.data.find(
    ({ id }: { id: number }) => id === shop.payments.pix,
  ).config_id;
  await shop.api('POST /config/emails', publishedBody(operationOf('configureEmails')).example);
});

const operationOf = (id: string) => storeOperations.find((operation) => operation.id === id)!;

const pathOf = (operation: Operation) =>
  pathWithIds(operation, (kind) => (kind === 'config' ? configuration : (shop.ids[kind] ?? 1)));

const bodyOf = (operation: Operation) =>
  operation.body &&
  (otherBodies[operation.id] ?? withOwnIds(publishedBody(operation).example, shop));

const tagOf = async (path: string) => (await shop.api(`GET ${path}`)).headers.get('ETag')!;

/** The path with the relations that a tag names. */
const viewOf = (path: string, tag: string) => {
  const [, ...includes] = tag.slice(1, -1).split('.');
  return includes.length === 0 ? path : `${path}?include=${includes.join()}`;
};

/** Touches every record of the store, within its second. */
async function touchAll() {
  const { results } = await env.STORE_0.prepare(
    `select name from sqlite_master where type = 'table' and sql like '%store_id%' and sql like '%updated_at%'`,
  ).all<{ name: string }>();
  await env.STORE_0.batch([
    ...results.map(({ name }) =>
      env.STORE_0.prepare(`update ${name} set updated_at = updated_at + 1 where store_id = ?`).bind(
        shop.id,
      ),
    ),
    env.STORE_0.prepare(
      'insert into store_settings (store_id, cart_idle_minutes) values (?, 7) on conflict do update set cart_idle_minutes = cart_idle_minutes + 1',
    ).bind(shop.id),
  ]);
}

/**
 * The database, in which a concurrent change precedes the first batch that compares what was read.
 */
function racedDatabase(): D1Database {
  let isExpected = false;
  return fakeDatabase({
    prepare: (sql: string) => {
      isExpected ||= sql.includes(`'unchanged'`);
      return env.STORE_0.prepare(sql);
    },
    batch: async (statements: D1PreparedStatement[]) => {
      if (isExpected) await touchAll();
      isExpected = false;
      return env.STORE_0.batch(statements);
    },
  });
}

describe.each(shows.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    it('returns 304 for a tag that the caller has, and 412 unless the record has a wanted one', async () => {
      // The age of the oldest delivery is part of some records, and would change with the second.
      using _clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
      const path = pathOf(operation);
      const tag = await tagOf(path);
      expect(tag).toMatch(/^"[\w-]{22}"$/);
      for (const named of [tag, `W/${tag}`, `${stale}, ${tag}`, '*']) {
        const known = await shop.api(`GET ${path}`, undefined, { 'If-None-Match': named });
        expect([known.status, known.headers.get('ETag')], named).toEqual([304, tag]);
      }
      const other = await shop.api(`GET ${path}`, undefined, { 'If-None-Match': stale });
      expect(other.status).toBe(200);
      const unwanted = await shop.api(`GET ${path}`, undefined, { 'If-Match': stale });
      expect([unwanted.status, unwanted.body.code]).toEqual([412, 'precondition_failed']);
      expect(unwanted.headers.get('ETag')).toBe(tag);
    });
  },
);

describe.each(conditionalChanges.map((operation) => [operation.route, operation] as const))(
  '%s',
  (_route, operation) => {
    it('returns 412 with the current tag for a stale one, also in a race, else 200', async () => {
      const path = pathOf(operation);
      const request = `${operation.method} ${path}`;
      const body = bodyOf(operation);
      const before = await tagOf(path);
      for (const condition of [
        { 'If-Match': stale },
        { 'If-Match': `W/${before}` },
        { 'If-None-Match': '*' },
        { 'If-None-Match': before },
      ]) {
        const refused = await shop.api(request, body, condition);
        expect([refused.status, refused.body.code]).toEqual([412, 'precondition_failed']);
        expect(refused.headers.get('ETag')).toBe(before);
      }
      const headers = { ...shop.headers, 'If-Match': before };
      const raced = await callWithBindings({ ...shop, headers }, request, body, {
        STORE_0: racedDatabase(),
      });
      expect(raced.status).toBe(412);
      const current = await tagOf(path);
      expect(current).not.toBe(before);
      expect(raced.headers.get('ETag')).toBe(current);
      const changed = await shop.api(request, body, { 'If-Match': `${stale}, ${current}` });
      expect([changed.status, changed.body.errors]).toEqual([200, undefined]);
      const after = changed.headers.get('ETag');
      if (after !== null) expect(await tagOf(viewOf(path, after))).toBe(after);
    });
  },
);
