import { exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { createTestStore } from '../support/fixtures/store.ts';
import { callMcp, postMcp } from '../support/mcp/assistant.ts';

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
const notification = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });

const send = (method: string, path: string, headers: Record<string, string> = {}) =>
  exports.default.fetch(`https://api.test${path}`, { method, headers });

describe('the types that a client accepts', () => {
  it.each([
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['application/json', 'application/json'],
    ['application/*', 'application/json'],
    ['Application/JSON; charset=utf-8', 'application/json'],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', 'application/json'],
    ['text/event-stream, application/json', 'application/json'],
    ['text/event-stream;q=1, application/json;q=0.1', 'application/json'],
    ['text/event-stream', 'text/event-stream'],
    ['TEXT/Event-Stream;q=0.3', 'text/event-stream'],
    ['text/*', 'text/event-stream'],
    ['application/json;q=0, */*', 'text/event-stream'],
    ['text/event-stream, application/*;q=0', 'text/event-stream'],
  ])('%j gives %s, in both ages of the protocol', async (accept, type) => {
    const { headers } = await createTestStore();
    const sent = { headers: { ...headers, Accept: accept } };
    for (const answer of [await postMcp(sent, list), await callMcp('tools/list', {}, sent)]) {
      expect([answer.status, answer.headers.get('Content-Type')]).toEqual([200, type]);
      expect(answer.body.result.tools).toHaveLength(4);
    }
    expect((await postMcp(sent, notification)).status).toBe(202);
  });

  it.each(['text/html', 'image/*, text/plain', '*/*;q=0', 'application/json;q=0'])(
    'returns 406 for %j, and says what to send',
    async (accept) => {
      const { headers } = await createTestStore();
      const { status, body } = await postMcp({ headers: { ...headers, Accept: accept } }, list);
      expect([status, body.code, body.hint, body.errors]).toEqual([
        406,
        'not_acceptable',
        'Send Accept: application/json, or leave the header out.',
        { Accept: ['Must allow application/json or text/event-stream.'] },
      ]);
    },
  );

  it('returns 401 to wrong credentials of a call also where the answer is a stream', async () => {
    const headers = { Accept: 'text/event-stream', Authorization: 'Bearer made-up' };
    const call = { name: 'list_brands', arguments: {} };
    for (const answer of [
      await callMcp('tools/call', call, { headers }),
      await postMcp(
        { headers },
        JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      ),
    ]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'unauthenticated']);
    }
  });
});

describe('a client that listens for changes', () => {
  it('is told that no change will come, and its stream ends', async () => {
    const { headers } = await createTestStore();
    const notifications = { toolsListChanged: true, resourceSubscriptions: ['store://settings'] };
    const { status, body } = await callMcp('subscriptions/listen', { notifications }, { headers });
    expect([status, body.method, body.params.notifications]).toEqual([
      200,
      'notifications/subscriptions/acknowledged',
      {},
    ]);
  });
});

describe('the address with a slash at the end', () => {
  it.each(['/mcp', '/mcp/'])(
    '%s lists, takes a query, and names its own metadata',
    async (path) => {
      const { alias, headers } = await createTestStore();
      for (const query of ['', `?store=${alias}`, '?toolsets=orders&read_only=1']) {
        expect((await postMcp({ headers, path, query }, list)).status).toBe(200);
      }
      const { status, headers: answered } = await postMcp({ headers: {}, path }, list);
      const metadata = `https://api.test/.well-known/oauth-protected-resource${path}`;
      expect([status, answered.get('WWW-Authenticate')]).toEqual([
        401,
        `Bearer resource_metadata="${metadata}"`,
      ]);
      // Strict clients take only the document of the very address that they call (RFC 9728, section
      // 3.3).
      const document = await (await send('GET', new URL(metadata).pathname)).json();
      expect(document).toMatchObject({ resource: `https://api.test${path}` });
      for (const method of ['GET', 'DELETE']) {
        const refused = await send(method, path, { Accept: 'text/event-stream' });
        expect([refused.status, refused.headers.get('Allow')]).toEqual([405, 'POST']);
      }
    },
  );
});

describe('a page of another site', () => {
  it.each(['POST', 'GET', 'DELETE'])('may send any header with %s (204)', async (method) => {
    const named = 'authorization,last-event-id,mcp-protocol-version,mcp-session-id,traceparent';
    const { status, headers } = await send('OPTIONS', '/mcp', {
      Origin: 'https://inspector.example',
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': named,
    });
    expect([status, headers.get('Access-Control-Allow-Origin')]).toEqual([204, '*']);
    expect(headers.get('Access-Control-Allow-Methods')!.split(',')).toContain(method);
    expect(headers.get('Access-Control-Allow-Headers')!.split(',')).toEqual(named.split(','));
    expect(headers.get('Access-Control-Allow-Credentials')).toBeNull();
  });

  it('may read the header of a session, also of an error', async () => {
    const { headers } = await postMcp({ headers: {} }, list);
    expect(headers.get('Access-Control-Expose-Headers')!.split(', ')).toEqual(
      expect.arrayContaining(['Mcp-Session-Id', 'WWW-Authenticate']),
    );
  });
});
