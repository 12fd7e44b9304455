import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { demoApiKeys } from '../../../src/demo/seed/account-data.ts';
import { codeOfPage, startProgram } from '../../support/node/docs/samples.ts';
import { useDemo, type SharedDemo } from '../../support/node/runtime/shared-demo.ts';

let demo: SharedDemo;
let client: Client;

beforeAll(async () => {
  demo = await useDemo();
  const { token, secret } = demoApiKeys[1];
  client = new Client({ name: 'test', version: '1' });
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', demo.origin), {
    requestInit: { headers: { 'User-Token': token, 'User-Secret-Key': secret } },
  });
  await client.connect(transport);
});
afterAll(async () => {
  await client?.close();
});

it('the official client connects, lists, searches and calls', async () => {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual([
    'search_operations',
    'describe_operation',
    'read_operation',
    'change_operation',
  ]);
  const found = await client.callTool({
    name: 'search_operations',
    arguments: { query: 'create a brand' },
  });
  expect(JSON.stringify(found)).toContain('create_brand');
  const created = await client.callTool({
    name: 'change_operation',
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

it.each(['', 'es/', 'pt-br/'])(
  'the agent of the guide /docs/%sguides/assistants runs as copied from the page',
  async (language) => {
    const blocks = await codeOfPage(`${demo.origin}/docs/${language}guides/assistants`);
    const agents = blocks.filter((code) => code.includes('@modelcontextprotocol/client'));
    expect(agents).toHaveLength(1);
    const cwd = mkdtempSync(join(tmpdir(), 'agent-'));
    symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
    const file = join(cwd, 'agent.mjs');
    writeFileSync(file, agents[0] ?? '');
    const { output, stdout, succeeded } = await startProgram([process.execPath, file], { cwd })
      .ended;
    rmSync(cwd, { recursive: true });
    expect(succeeded, output).toBe(true);
    expect(stdout).toMatch(
      /'search_operations',\s+'describe_operation',\s+'read_operation',\s+'change_operation'/,
    );
    expect(stdout).toMatch(/"name": ?"list_orders"/);
    expect(stdout).toMatch(/^orders \{\s+data: \[/m);
  },
);
