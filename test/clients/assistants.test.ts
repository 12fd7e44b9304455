import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as current from '@modelcontextprotocol/client';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { demoApiKeys } from '../../src/demo/seed/account-data.ts';
import { hiddenFieldsOf } from '../support/browser/form-fields.ts';
import { MerchantBrowser } from '../support/node/oauth/merchant.ts';
import { startDemo, type RunningDemo } from '../support/node/runtime/demo.ts';
import { clientMetadata, type Identity, Keeper, type StartSession } from './assistant.ts';
import { NoToken, startPlain } from './plain-assistant.ts';

/** How documents say that their clients need no secret; the last as that of a large host does. */
const documentMethods: Record<string, object> = {
  open: {},
  public: { token_endpoint_auth_method: 'none' },
  choosing: {
    token_endpoint_auth_method: 'private_key_jwt',
    token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
    token_endpoint_auth_signing_alg: 'RS256',
    jwks_uri: 'https://editor.test/jwks.json',
  },
};

/** Where the service reads documents of https addresses, which it has no certificates for here. */
const documentHost = 'editor.test';

let demo: RunningDemo;
let merchant: MerchantBrowser;
let documents: Server;
/** The origin of the server of documents, and the paths that the service read there. */
let documentOrigin: string;
const readPaths: string[] = [];

beforeAll(async () => {
  documents = createServer(({ url = '', headers }, response) => {
    readPaths.push(url);
    const origin = url.startsWith('/secure-')
      ? `https://${documentHost}`
      : `http://${headers.host}`;
    response.setHeader('Content-Type', 'application/json');
    const [, form = ''] = /-(\w+)\.json$/.exec(url) ?? [];
    const methods = documentMethods[form];
    response.end(JSON.stringify({ client_id: origin + url, ...clientMetadata, ...methods }));
  }).listen(0, '127.0.0.1');
  await once(documents, 'listening');
  documentOrigin = `http://127.0.0.1:${(documents.address() as AddressInfo).port}`;
  demo = await startDemo({
    wrapperSource: `
      import worker from './index.js';
      export * from './index.js';
      export default worker;
      const send = globalThis.fetch;
      globalThis.fetch = (url, init) =>
        send(typeof url === 'string' ? url.replace('https://${documentHost}', '${documentOrigin}') : url, init);`,
  });
  merchant = new MerchantBrowser(demo.origin);
});
afterAll(async () => {
  documents?.close();
  await demo?.close();
});

const name = { name: 'editor', version: '1' };

const versions: Record<
  string,
  { start: StartSession; unauthorized: new () => Error; revision: string }
> = {
  '@modelcontextprotocol/sdk (v1), unmodified': {
    unauthorized: UnauthorizedError,
    revision: '2025-11-25',
    start: (url, credentials, fetch) => {
      const client = new Client(name);
      const transport = new StreamableHTTPClientTransport(url, { ...credentials, fetch });
      return {
        connect: () => client.connect(transport),
        finish: ({ searchParams }) => transport.finishAuth(searchParams.get('code') ?? ''),
        revision: () => transport.protocolVersion,
        listTools: () => client.listTools(),
        call: (tool, sent) => client.callTool({ name: tool, arguments: sent }),
        close: () => client.close(),
      };
    },
  },
  '@modelcontextprotocol/client (v2), unmodified': {
    unauthorized: current.UnauthorizedError,
    revision: '2026-07-28',
    start: (url, credentials, fetch) => {
      const client = new current.Client(name, { versionNegotiation: { mode: 'auto' } });
      const transport = new current.StreamableHTTPClientTransport(url, { ...credentials, fetch });
      return {
        connect: () => client.connect(transport),
        finish: ({ searchParams }) => transport.finishAuth(searchParams),
        revision: () => client.getNegotiatedProtocolVersion(),
        listTools: () => client.listTools(),
        call: (tool, sent) => client.callTool({ name: tool, arguments: sent }),
        close: () => client.close(),
      };
    },
  },
  'an assistant without a library': {
    unauthorized: NoToken,
    revision: '2025-06-18',
    start: startPlain,
  },
};

/** Disconnects an assistant on the page of connected apps. */
async function disconnect(clientId: string) {
  const path = `/account/apps/demo/${encodeURIComponent(clientId)}/disconnect`;
  const { html } = await merchant.send('/account/apps');
  expect(html).toContain(`href="${path}"`);
  const form = hiddenFieldsOf(await merchant.send(path), path);
  expect((await merchant.send(path, form)).status).toBe(303);
}

const documentOf = (form: string) => (label: string) => ({
  documentUrl: `https://${documentHost}/secure-${label}-${form}.json`,
});

/** Where no document is named, the library chooses between it and a registration. */
const registrations: Record<string, (label: string) => Identity> = {
  'a document without a method': documentOf('open'),
  'the document of a public client': documentOf('public'),
  'a document with a choice of methods': documentOf('choosing'),
  'a document on this device as its client id': (label) => ({
    clientId: `${documentOrigin}/${label}-open.json`,
  }),
  'dynamic registration': () => ({}),
  'dynamic registration as a client with a secret': () => ({ method: 'client_secret_post' }),
};

const address = () => new URL('/mcp', demo.origin);

describe.each(Object.entries(versions))('%s', (version, { start, unauthorized, revision }) => {
  it.each(Object.entries(registrations))(
    'finds the way by the 401, connects with %s, lists and calls, and gets 401 once it is disconnected',
    async (_name, register) => {
      const keeper = new Keeper(register(version.replaceAll(/\W/g, '')));
      /** The requests of the client and their responses, in order. */
      const seen: string[] = [];
      const send: typeof fetch = async (input, init) => {
        const response = await fetch(input, init);
        const { pathname } = new URL(input instanceof Request ? input.url : input);
        seen.push(`${init?.method ?? 'GET'} ${pathname} ${response.status}`);
        return response;
      };
      const first = start(address(), { authProvider: keeper }, send);
      await expect(first.connect()).rejects.toThrow(unauthorized);
      expect(seen[0]).toBe('POST /mcp 401');
      expect(seen).toContain('GET /.well-known/oauth-protected-resource/mcp 200');
      expect(seen).toContain('GET /.well-known/oauth-authorization-server 200');
      const { clientMetadataUrl } = keeper;
      const isRegistered = clientMetadataUrl === undefined && !readPathOf(keeper);
      expect(seen.includes('POST /oauth/register 201')).toBe(isRegistered);
      if (clientMetadataUrl) expect(keeper.client?.client_id).toBe(clientMetadataUrl);
      expect(keeper.link?.searchParams.get('resource')).toBe(`${demo.origin}/mcp`);

      const callback = await merchant.decide(keeper.link ?? '', {
        access: 'read',
        area: ['catalog'],
      });
      const path = readPathOf(keeper);
      if (path) expect(readPaths).toContain(path);
      await first.finish(callback);
      expect(seen.at(-1)).toBe('POST /oauth/token 200');
      await first.close();

      const session = start(address(), { authProvider: keeper }, send);
      await session.connect();
      expect(session.revision()).toBe(revision);
      const { tools } = await session.listTools();
      expect(tools.map((tool) => tool.name)).toContain('list_brands');
      expect(tools.map((tool) => tool.name)).not.toContain('create_brand');
      const { isError, structuredContent } = await session.call('list_brands', {});
      expect(isError).not.toBe(true);
      expect(structuredContent).toHaveProperty('data.0.name');

      await disconnect(keeper.client?.client_id ?? '');
      seen.length = 0;
      await expect(session.call('list_brands', {})).rejects.toThrow();
      expect(seen[0]).toBe('POST /mcp 401');
      await session.close();
    },
  );

  it('connects with an API key in its headers, lists and calls, and is refused with a wrong one', async () => {
    const { token, secret } = demoApiKeys[0];
    const keyed = (sent: string) => ({
      requestInit: { headers: { 'User-Token': token, 'User-Secret-Key': sent } },
    });
    const session = start(address(), keyed(secret), fetch);
    await session.connect();
    expect(session.revision()).toBe(revision);
    expect((await session.listTools()).tools.length).toBeGreaterThan(2);
    const { isError, structuredContent } = await session.call('list_brands', { limit: 1 });
    expect(isError).not.toBe(true);
    expect(structuredContent).toHaveProperty('data.0.name');
    await session.close();
    await expect(start(address(), keyed('sk_wrong'), fetch).connect()).rejects.toThrow();
  });
});

/** The path of the document of a client; `undefined` for one that registered itself. */
const readPathOf = ({ client, clientMetadataUrl }: Keeper) => {
  const id = clientMetadataUrl ?? client?.client_id ?? '';
  return id.startsWith('http') ? new URL(id).pathname : undefined;
};
