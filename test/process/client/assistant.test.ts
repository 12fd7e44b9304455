import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoApiKeys } from '../../../src/demo/seed/account-data.ts';
import { startDemo, type RunningDemo } from '../../support/node/runtime/demo.ts';

let demo: RunningDemo;
let client: Client;

beforeAll(async () => {
  demo = await startDemo();
  const { token, secret } = demoApiKeys[1];
  client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', demo.origin), {
    requestInit: { headers: { 'User-Token': token, 'User-Secret-Key': secret } },
  });
  await client.connect(transport);
});
afterAll(async () => {
  await client?.close();
  await demo?.close();
});

it('the official client connects, lists, searches and calls', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'search_operations',
    'describe_operation',
    'call_operation',
  ]);
  const found = await client.callTool({
    name: 'search_operations',
    arguments: { query: 'create a brand' },
  });
  expect(JSON.stringify(found)).toContain('create_brand');
  const created = await client.callTool({
    name: 'call_operation',
    arguments: { name: 'create_brand', arguments: { name: 'Da assistente', active: true } },
  });
  expect(created.structuredContent).toMatchObject({ data: { name: 'Da assistente' } });
});

it('the official client reads a guide and a prompt', async () => {
  const { resources } = await client.listResources();
  const guide = resources.find(({ uri }) => uri.includes('/docs/guides/first-call'));
  const { contents } = await client.readResource({ uri: guide?.uri ?? '' });
  expect(contents[0]).toHaveProperty('text', expect.stringContaining('# First call'));
  const { prompts } = await client.listPrompts();
  expect(prompts.map(({ name }) => name)).toContain('review_yesterdays_orders');
});
