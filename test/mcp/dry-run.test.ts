import { describe, expect, it, vi } from 'vitest';
import { mayChangeData } from '../../src/data/core/statement.ts';
import { StoreDb } from '../../src/data/core/store-db.ts';
import type { Operation } from '../../src/http/operation.ts';
import { canDryRun } from '../../src/http/operation.ts';
import { snakeCase } from '../../src/mcp/build/build-tools.ts';
import { storeOperations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import { mockNetwork } from '../support/fakes/network.ts';
import { createCompleteStore, pathWithIds } from '../support/fixtures/complete-store.ts';
import '../support/fixtures/first-shard.ts';
import { withOwnIds } from '../support/fixtures/own-ids.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { allRows } from '../support/mcp/all-rows.ts';
import { requestTool } from '../support/mcp/assistant.ts';
import { doors } from '../support/mcp/doors.ts';
import { shared } from '../support/shared.ts';

const sharedStore = shared(() => createCompleteStore('tried'));
const [, overMcp] = doors;

/** Changes before deletions, and children before their parents, so that each finds its record. */
const tried = storeOperations
  .filter(canDryRun)
  .toSorted(
    (one, other) =>
      Number(one.method === 'DELETE') - Number(other.method === 'DELETE') ||
      Number(one.path.endsWith('}')) - Number(other.path.endsWith('}')) ||
      other.pathParams.length - one.pathParams.length,
  );

const stable = (body: object) =>
  JSON.parse(
    JSON.stringify(body, (key, value: unknown) => (key === 'request_id' ? null : value)),
  ) as unknown;

/** A call of a tool with the example of its body. */
async function callOf(operation: Operation) {
  const own = await sharedStore();
  const body = operation.body
    ? (withOwnIds(publishedBody(operation).example, own) as Record<string, unknown>)
    : {};
  const path = pathWithIds(operation, (kind) => own.ids[kind] ?? 1);
  const call = (more: object = {}) =>
    overMcp!.client(own.alias, own.headers)(`${operation.method} ${path}`, { ...body, ...more });
  return { own, body, call };
}

describe('dry_run', () => {
  it.each(overMcp!.sample(tried).map((operation) => [snakeCase(operation.id), operation] as const))(
    'of %s stores nothing, says what the change would say, and is its only batch',
    async (_name, operation) => {
      const { own, body, call } = await callOf(operation);
      const unknownPath = `${operation.method} ${pathWithIds(operation, () => 9_007_199_254_740_991)}`;
      const invalid = Object.fromEntries(Object.keys(body).map((key) => [key, { not: 'this' }]));
      const unknown = async (more: object) =>
        stable(await overMcp!.client(own.alias, own.headers)(unknownPath, { ...body, ...more }));
      const before = await allRows(own.id);
      using network = mockNetwork(() => new Response(null, { status: 204 }));
      const dry = await call({ dry_run: true });
      expect(network.requests.map(({ url }) => url)).toEqual([]);
      const refused =
        Object.keys(body).length > 0 ? await call({ ...invalid, dry_run: true }) : undefined;
      const missing =
        operation.pathParams.length > 0 ? await unknown({ dry_run: true }) : undefined;
      expect(await allRows(own.id)).toBe(before);
      if (missing) expect(missing).toEqual(await unknown({}));
      if (refused) expect(stable(refused)).toEqual(stable(await call(invalid)));
      using batches = vi.spyOn(StoreDb.prototype, 'batch');
      const real = await call();
      const changing = batches.mock.calls.filter(([statements]) => statements.some(mayChangeData));
      expect(changing.length).toBeLessThanOrEqual(1);
      expect(real.status < 300, JSON.stringify([dry.body, real.body])).toBe(dry.status < 300);
      const { notes = [], ...answer } = dry.body as { notes?: string[] };
      if (dry.status < 300) {
        expect(answer).toEqual({ dry_run: true });
        expect(notes).toHaveLength(Object.values(body).some(Array.isArray) ? 1 : 0);
      } else expect(stable(dry.body)).toEqual(stable(real.body));
    },
  );

  it('says how many records a change names, and so does the question before it', async () => {
    const { headers, ids } = await createCompleteStore('counted');
    const sent = { id: ids.collections, products_ids: [ids.products, ids.products] };
    const tried = { ...sent, dry_run: true };
    const dry = await requestTool('remove_collection_products', tried, { headers });
    expect(dry.structuredContent).toEqual({
      dry_run: true,
      notes: ['The change takes 1 products_ids.'],
    });
    const asked = await requestTool('remove_collection_products', sent, { headers });
    expect(asked.structuredContent.hint).toContain(' (1 products_ids: [');
  });

  it('takes no idempotency key, and needs no consent', async () => {
    const own = await createTestStore();
    const headers = { ...own.headers, 'Idempotency-Key': '"tried"' };
    const sent = { name: 'Aurora', active: true };
    const dry = await requestTool('create_brand', { ...sent, dry_run: true }, { headers });
    expect(dry.structuredContent).toEqual({ dry_run: true });
    const { structuredContent } = await requestTool('create_brand', sent, { headers });
    const { id } = structuredContent.data as { id: number };
    const deletion = await requestTool(
      'delete_brand',
      { id, dry_run: true },
      { headers: own.headers },
    );
    expect(deletion.structuredContent).toEqual({ dry_run: true });
    expect((await own.api(`GET /catalog/brands/${id}`)).status).toBe(200);
  });

  it.each([
    ['create_brand', { name: 'A', active: true, dry_run: 'yes' }],
    ['create_brand', { name: 'A', active: true, dry_run: 1 }],
    ['ping_webhook', { id: 1, dry_run: true }],
    ['list_brands', { dry_run: true }],
  ])('is refused (422) for %s %j, and nothing is called', async (name, sent) => {
    const own = await createTestStore();
    using batches = vi.spyOn(StoreDb.prototype, 'batch');
    const { isError, structuredContent } = await requestTool(name, sent, { headers: own.headers });
    expect([isError, Object.keys(structuredContent.errors)]).toEqual([true, ['dry_run']]);
    expect(batches.mock.calls).toEqual([]);
  });
});
