import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { fakeLimiter, limitBindings } from '../../support/api/limits.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { type McpOptions, postMcp, readTools } from '../../support/mcp/assistant.ts';
import { isSlow } from '../../support/slow.ts';

const called = (params: unknown) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });

/** Messages that are answered before any operation looks at its caller. */
const messages: [what: string, message: string][] = [
  ['a tool that is not there', called({ name: 'drop_store', arguments: {} })],
  ['a tool whose name is no text', called({ name: 7 })],
  ['a call without a tool', called({})],
  ['a call of nothing', called(null)],
  ['an operation that is not there', called({ name: 'call_operation', arguments: { name: 'x' } })],
  ['arguments that are a list', called({ name: 'list_brands', arguments: [1] })],
  ['the text of a list', called({ name: 'create_product', arguments: { skus: '[' } })],
  ['an id that no path has', called({ name: 'show_brand', arguments: { id: '../1' } })],
  ['a trial of a read', called({ name: 'list_brands', arguments: { dry_run: true } })],
  ['a search', called({ name: 'search_operations', arguments: { query: 'brand' } })],
  ['a description', called({ name: 'describe_operation', arguments: { name: 'list_brands' } })],
  ['a method that is not there', '{"jsonrpc":"2.0","id":1,"method":"tools/drop"}'],
  ['two messages', '[{},{}]'],
  ['no JSON', '{"jsonrpc":'],
  ['no message', '17'],
  ['nothing', ''],
  ['too many levels', `${'['.repeat(200)}${']'.repeat(200)}`],
  ['too many bytes', ' '.repeat(1_048_577)],
];

const strangers: [who: string, headers: Record<string, string>][] = [
  ['nobody', {}],
  ['a made-up key', { 'User-Token': 'made-up', 'User-Secret-Key': 'made-up' }],
  ['a made-up token', { Authorization: 'Bearer made-up' }],
];

describe('what reaches no operation', () => {
  it.each(messages)('attack: %s is a 401 for a stranger', async (_what, message) => {
    const { alias } = await createTestStore();
    for (const [who, headers] of strangers) {
      for (const query of ['', `?store=${alias}`, `?store=${alias}&toolsets=none`]) {
        const { status, headers: answered } = await postMcp({ headers, query }, message);
        expect([who, query, status]).toEqual([who, query, 401]);
        expect(answered.get('WWW-Authenticate')).toMatch(/^Bearer /);
      }
    }
  });

  it.each(messages)('attack: %s counts for its caller (429)', async (_what, message) => {
    const { id, alias, headers } = await createTestStore();
    const limiter = fakeLimiter(false);
    const bindings = limitBindings({ API_LIMIT: limiter, API_PER_MINUTE: '1' });
    const options: McpOptions = { headers, query: `?store=${alias}`, bindings };
    await postMcp(options, message);
    const { status, body } = await postMcp(options, message);
    // A tool that is there says so in its result.
    expect([status, body.result?.structuredContent?.status_code]).toContain(429);
    expect([...new Set(limiter.keys)]).toEqual([
      expect.stringMatching(new RegExp(`:${id}:Assistants$`)),
    ]);
  });

  it('attack: the body of a caller without a name is not read (401)', async () => {
    const { alias } = await createTestStore();
    let pulled = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(65_536).fill(32));
      },
    });
    const url = `https://api.test/mcp?store=${alias}`;
    const request = new Request(url, { method: 'POST', body });
    const { status } = await createApp().fetch(request, env, createExecutionContext());
    expect([status, pulled < 5]).toEqual([401, true]);
  });
});

describe('marks of third parties without end', () => {
  it('attack: 70,000 of them around a text of a tool are an answer, never a fault', async () => {
    const { headers } = await createTestStore();
    const marks = '[third party] '.repeat(70_000);
    const tools = await readTools();
    for (const { name, inputSchema } of tools.filter((_, index) => isSlow || index % 11 === 0)) {
      // One argument after another, since a body holds so many marks once.
      for (const argument of Object.keys(inputSchema.properties ?? {}).slice(0, 3)) {
        const { status, body } = await postMcp(
          { headers },
          called({ name, arguments: { [argument]: marks } }),
        );
        expect([name, argument, status, body.error]).toEqual([name, argument, 200, undefined]);
        expect(body.result.structuredContent?.status_code ?? 200).toBeLessThan(500);
      }
    }
  });
});
