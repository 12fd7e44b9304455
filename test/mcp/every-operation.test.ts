import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { acceptsIdempotencyKey } from '../../src/http/operation.ts';
import { snakeCase } from '../../src/mcp/build/build-tools.ts';
import { storeOperations } from '../support/api/operations.ts';
import { publishedBody } from '../support/api/published-body.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import '../support/fixtures/first-shard.ts';
import { withOwnIds } from '../support/fixtures/own-ids.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { callMcp, requestTool, measureTool, readTools, wordOf } from '../support/mcp/assistant.ts';
import { findDifferences } from '../support/mcp/find-differences.ts';
import { connectApp } from '../support/oauth/partner.ts';

const toolOf = ({ id }: Operation) => snakeCase(id);

let created: Promise<CompleteStore> | undefined;
const sharedStore = () => (created ??= createCompleteStore('tools'));

/** The ids of the path as arguments. */
const idsOf = ({ path, pathParams }: Operation, own: CompleteStore) => {
  const names = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name = '']) => name).filter(
    (name) => name !== 'alias',
  );
  expect(names).toHaveLength(pathParams.length);
  const filled = pathWithIds({ path, pathParams } as Operation, (kind) => own.ids[kind] ?? 1);
  const template = path.replace('/{alias}', '').split('/');
  const parts = filled.split('/');
  return Object.fromEntries(
    template.flatMap((part, index) =>
      part.startsWith('{') ? [[part.slice(1, -1), decodeURIComponent(parts[index] ?? '')]] : [],
    ),
  );
};

const bodyOf = (operation: Operation, own: CompleteStore): Record<string, unknown> =>
  operation.body && !operation.upload && operation.method !== 'GET'
    ? (withOwnIds(publishedBody(operation).example, own) as Record<string, unknown>)
    : {};

/** Children before their parents, and deletions last, so that each finds its record. */
const inOrder = storeOperations.toSorted(
  (one, other) =>
    Number(one.method === 'DELETE') - Number(other.method === 'DELETE') ||
    other.pathParams.length - one.pathParams.length,
);

/** A bulk body of the documentation has an array of items, not named members. */
const isNamed = (body: unknown) => typeof body === 'object' && !Array.isArray(body);

describe('the tools', () => {
  it('are one of each operation of a store, and of no other', async () => {
    const names = (await readTools()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(storeOperations.map(toolOf).toSorted());
  });

  it('have a title, a description, and a meaning of each argument', async () => {
    for (const { name, title, description, inputSchema } of await readTools()) {
      expect([name, title.length > 3, description.length > 20]).toEqual([name, true, true]);
      for (const [argument, schema] of Object.entries(inputSchema.properties ?? {})) {
        expect([name, argument, (schema.description ?? '').length > 3]).toEqual([
          name,
          argument,
          true,
        ]);
      }
      expect(Object.keys(inputSchema.properties ?? {})).not.toContain('alias');
    }
  });
});

const reads = inOrder.filter(({ method, reply }) => method === 'GET' && !reply.mediaType);

/** A refusal names its own request, and an age grows between two answers. */
const changing = new Set(['request_id', 'updated_at', 'oldest_pending_seconds']);

describe('the tool of a read', () => {
  it.each(reads.map((operation) => [toolOf(operation), operation] as const))(
    'shows the answer over HTTP, in both parts of its result: %s',
    async (name, operation) => {
      const own = await sharedStore();
      const limit = operation.query?.names.includes('limit') ? '?limit=3' : '';
      const path = pathWithIds(operation, (kind) => own.ids[kind] ?? 1);
      const over = await own.api(`GET ${path}${limit}`);
      const sent = { ...idsOf(operation, own), ...(limit !== '' && { limit: 3 }) };
      const result = await requestTool(name, sent, { headers: own.headers });
      expect([result.isError ?? false, result.structuredContent?.errors]).toEqual([
        over.status >= 400,
        over.body.errors,
      ]);
      expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
      const { notes: _, next_cursor: __, ...shown } = result.structuredContent;
      expect(findDifferences(shown, over.body, changing)).toEqual([]);
    },
  );
});

const changes = inOrder.filter(
  (operation) =>
    operation.method !== 'GET' && !operation.upload && acceptsIdempotencyKey(operation),
);

describe('the tool of a change', () => {
  it.each(changes.map((operation) => [toolOf(operation), operation] as const))(
    'sends the same request, and gives the same answer as over HTTP: %s',
    async (name, operation) => {
      const own = await sharedStore();
      const body = bodyOf(operation, own);
      if (!isNamed(body)) return;
      const headers = { ...own.headers, 'Idempotency-Key': `"${name}"` };
      const sent = { ...idsOf(operation, own), ...body };
      let result = await requestTool(name, sent, { headers });
      if (result.structuredContent.code === 'confirmation_required') {
        const confirm = wordOf(result);
        result = await requestTool(name, { ...sent, confirm }, { headers });
      }
      const path = pathWithIds(operation, (kind) => own.ids[kind] ?? 1);
      // The key replays the answer only for the same method, path and bytes.
      // A tool asks for ten records where its caller names no number.
      const limit = operation.query?.names.includes('limit') ? '?limit=10' : '';
      const over = await own.api(
        `${operation.method} ${path}${limit}`,
        Object.keys(body).length > 0 ? body : undefined,
        { 'Idempotency-Key': `"${name}"` },
      );
      expect([name, over.body?.code]).not.toEqual([name, 'key_reused']);
      expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
      const { notes: _, next_cursor: __, ...shown } = result.structuredContent;
      expect(findDifferences(shown, over.body, new Set(['request_id', 'retry_after']))).toEqual([]);
    },
  );
});

describe('a caller without the scope', () => {
  it.each(storeOperations.map((operation) => [toolOf(operation), operation] as const))(
    'is not offered %s, and its call is refused with the code over HTTP',
    async (name, operation) => {
      if (operation.access === 'signed-in' || operation.access === 'config.read') return;
      const own = await sharedStore();
      const none = { headers: (await lackingApp()).headers };
      const result = await requestTool(name, idsOf(operation, own), none);
      expect([result.isError, result.structuredContent.code]).toEqual([true, 'insufficient_scope']);
    },
  );
});

let lacking: ReturnType<typeof connectApp> | undefined;
/** An app of another store that may only read its settings. */
const lackingApp = () =>
  (lacking ??= (async () =>
    connectApp(await createTestStore(), { scopes: ['config.read'], resource: 'mcp' }))());

describe('the round trips of a call', () => {
  it('are those over HTTP, for a read and for a change', async () => {
    const own = await createTestStore();
    const options = { headers: own.headers };
    const { result } = await measureTool('create_brand', { name: 'A', active: true }, options);
    const brand = result.structuredContent.data.id as number;
    const read = await measureTool('show_brand', { id: brand }, options);
    expect([read.result.isError, read.directory.roundTrips, read.data.roundTrips]).toEqual([
      undefined,
      0,
      1,
    ]);
    const change = await measureTool(
      'update_brand',
      { id: brand, name: 'B', active: true },
      options,
    );
    expect([change.directory.roundTrips, change.data.roundTrips]).toEqual([0, 1]);
  });
});

describe('tools/list', () => {
  it('offers only what the scopes allow', async () => {
    const { headers } = await lackingApp();
    const { body } = await callMcp('tools/list', {}, { headers });
    const names = (body.result.tools as { name: string }[]).map(({ name }) => name);
    const allowed = (await readTools()).filter(
      ({ scope }) => scope === null || scope === 'config.read',
    );
    expect(names.toSorted()).toEqual(allowed.map(({ name }) => name).toSorted());
  });
});
