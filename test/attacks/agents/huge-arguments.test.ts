import { describe, expect, it } from 'vitest';
import { createTestStore } from '../../support/fixtures/store.ts';
import { callMcp, postMcp } from '../../support/mcp/assistant.ts';
import { shared } from '../../support/shared.ts';

const sharedStore = shared(() => createTestStore());

const long = 'x'.repeat(900_000);
const many = Array.from({ length: 60_000 }, (_, n) => `name_${n}`);

/** Arguments that just fit into a body. */
const huge: [what: string, name: string, sent: Record<string, unknown>][] = [
  ['a text', 'create_brand', { name: long, active: true }],
  ['an id', 'show_brand', { id: long }],
  ['a filter', 'list_brands', { search: long }],
  ['a cursor', 'list_brands', { cursor: long }],
  ['names of fields', 'list_brands', { fields: many }],
  ['a list of ids', 'list_brands', { ids: many }],
  ['unknown arguments', 'create_brand', Object.fromEntries(many.map((name) => [name, 1]))],
  ['unknown filters', 'list_brands', Object.fromEntries(many.map((name) => [name, 1]))],
  ['a consent', 'delete_brand', { id: 1, confirm: long }],
  ['words of a search', 'search_operations', { query: long }],
  ['many words of a search', 'search_operations', { query: many.join(' ') }],
  ['a name of an operation', 'describe_operation', { name: long }],
  ['arguments of a call', 'call_operation', { name: 'create_brand', arguments: { name: long } }],
];

describe('a huge argument', () => {
  it.each(huge)(
    'attack: %s is refused or ignored, in an answer that repeats none of it',
    async (_what, name, sent) => {
      const { headers } = await sharedStore();
      const { status, bytes, body } = await callMcp(
        'tools/call',
        { name, arguments: sent },
        { headers },
      );
      expect(status).toBeLessThan(500);
      expect([body.error?.code, body.result?.structuredContent?.status_code]).not.toContain(
        -32_603,
      );
      expect(body.result?.structuredContent?.status_code ?? 200).toBeLessThan(500);
      expect(bytes).toBeLessThan(24_000);
    },
  );

  it.each([
    ['a list', many, 'Must be an object.'],
    ['a text', long, 'Must be an object: send an object, not its text.'],
    ['a number', 7, 'Must be an object.'],
  ])(
    'attack: %s as the arguments of an operation is refused before its items are read (400)',
    async (_what, inner, problem) => {
      const { headers } = await sharedStore();
      const { body } = await callMcp(
        'tools/call',
        { name: 'call_operation', arguments: { name: 'list_brands', arguments: inner } },
        { headers },
      );
      expect(body.result.structuredContent).toMatchObject({
        code: 'malformed_body',
        errors: { arguments: [problem] },
      });
    },
  );

  it('attack: ten thousand levels are refused, and end nothing', async () => {
    const { headers } = await sharedStore();
    for (const [name, argument] of [
      ['create_brand', 'description'],
      ['list_brands', 'search'],
      ['list_brands', 'fields'],
      ['search_operations', 'query'],
    ]) {
      const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
      const { status, body } = await postMcp(
        { headers: { ...headers, 'MCP-Protocol-Version': '2025-11-25' } },
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":{"name":"a","active":true,"${argument}":${deep}}}}`,
      );
      expect([name, argument, status < 500]).toEqual([name, argument, true]);
      expect(body.result?.structuredContent?.status_code ?? 200).toBeLessThan(500);
      expect(body.error?.code).not.toBe(-32_603);
    }
    expect((await callMcp('tools/list', {}, { headers })).status).toBe(200);
  });
});
