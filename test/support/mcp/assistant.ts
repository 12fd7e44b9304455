import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { type ToolFile, toolFilePath } from '../../../src/mcp/tool.ts';
import { countingDatabase, type DatabaseCost, noCost } from '../api/measure.ts';
import { recordCode } from '../api/observed-statuses.ts';

const app = createApp();

/** A text of the content of a result. */
interface TextContent {
  type: 'text';
  text: string;
}

/** The result of a tool. */
export interface ToolResult {
  content: TextContent[];
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read bodies of every shape
  structuredContent?: any;
  isError?: boolean;
  resultType?: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- what a client has to answer
  inputRequests?: any;
  requestState?: string;
}

/** How a client calls the server. */
export interface McpOptions {
  headers: Readonly<Record<string, string>>;
  /** The query of the address. */
  query?: string;
  capabilities?: object;
  /** Answers to what the server asked in an earlier round. */
  inputResponses?: object;
  /** The state that came with the question. */
  requestState?: string | undefined;
  bindings?: Partial<Env>;
  /** The origin of the address. */
  origin?: string;
  /** The path of the address. */
  path?: string;
}

/** An answer of the server over HTTP. */
export interface McpResponse {
  status: number;
  headers: Headers;
  /** The size of the body in bytes. */
  bytes: number;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests read messages of every shape
  body: any;
}

/** Sends any body to the server. */
export async function postMcp(
  { headers, query = '', bindings, origin = 'https://api.test', path = '/mcp' }: McpOptions,
  body: string,
): Promise<McpResponse> {
  const context = createExecutionContext();
  const sent = new Headers({
    'Content-Type': 'application/json',
    Accept: 'application/json, text/event-stream',
    ...headers,
  });
  // A client that names no type sends no header.
  if (sent.get('Accept') === '') sent.delete('Accept');
  const url = `${origin}${path}${query}`;
  const request = new Request(url, { method: 'POST', headers: sent, body });
  // An environment is checked when it is first seen.
  const environment = bindings ? { ...env, ...bindings } : env;
  const response = await app.fetch(request, environment, context);
  const text = await response.text();
  await waitOnExecutionContext(context);
  const type = response.headers.get('Content-Type') ?? '';
  const json = type.startsWith('text/event-stream')
    ? text
        .split('\n')
        .find((line) => line.startsWith('data: '))
        ?.slice('data: '.length)
    : text;
  const answer: unknown = json ? JSON.parse(json) : undefined;
  recordCodeOf(answer);
  return {
    status: response.status,
    headers: response.headers,
    bytes: new TextEncoder().encode(text).length,
    body: answer,
  };
}

/** Records the code of an error, over HTTP or as the result of a tool. */
function recordCodeOf(answer: unknown): void {
  const { code, result } = (answer ?? {}) as {
    code?: unknown;
    result?: { structuredContent?: { code?: unknown }; isError?: boolean };
  };
  const found = result?.isError ? result.structuredContent?.code : code;
  if (typeof found === 'string') recordCode(found);
}

/** Sends a request of protocol 2026-07-28. */
export async function callMcp(
  method: string,
  params: Record<string, unknown>,
  options: McpOptions,
): Promise<McpResponse> {
  const { capabilities = {}, inputResponses, requestState } = options;
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method,
    params: {
      ...params,
      ...(inputResponses && { inputResponses }),
      ...(requestState !== undefined && { requestState }),
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': capabilities,
      },
    },
  };
  const { name, uri } = params;
  const subject = typeof name === 'string' ? name : uri;
  const headers = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': method,
    ...(typeof subject === 'string' && { 'Mcp-Name': subject }),
    ...options.headers,
  };
  return postMcp({ ...options, headers }, JSON.stringify(message));
}

/** Calls a tool, and expects a result. */
export async function requestTool(
  name: string,
  sent: Record<string, unknown>,
  options: McpOptions,
): Promise<ToolResult> {
  const { status, body } = await callMcp('tools/call', { name, arguments: sent }, options);
  expect(body, `${name}: ${status}`).toHaveProperty('result');
  return body.result as ToolResult;
}

/** The word with which a refused call is repeated after the consent of the person. */
export function wordOf({ structuredContent }: ToolResult): string {
  const [said = ''] = structuredContent.errors.confirm as string[];
  return /^Must be "([\w.-]+)"/.exec(said)?.[1] ?? '';
}

/** Calls a tool, and counts the calls of the databases. */
export async function measureTool(
  name: string,
  sent: Record<string, unknown>,
  options: McpOptions,
): Promise<{ result: ToolResult; directory: DatabaseCost; data: DatabaseCost }> {
  const directory = noCost();
  const data = noCost();
  const result = await requestTool(name, sent, {
    ...options,
    bindings: {
      DIRECTORY: countingDatabase(env.DIRECTORY, directory),
      STORE_0: countingDatabase(env.STORE_0, data),
      STORE_1: countingDatabase(env.STORE_1, data),
    },
  });
  return { result, directory, data };
}

/** The tools as the build of the documentation wrote them. */
export async function readTools(): Promise<ToolFile['tools']> {
  const response = await env.ASSETS.fetch(`https://assets.invalid/${toolFilePath}`);
  const { tools } = await response.json<ToolFile>();
  return tools;
}
