import { describe, expect, it } from 'vitest';
import { describeRedirectTarget, validateRedirectUri } from '../../../src/oauth/redirect-uris.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { callMcp } from '../../support/mcp/assistant.ts';
import {
  agentDocument,
  newDocumentId,
  openAgentPage,
  registerClient,
  serveDocuments,
} from '../../support/oauth/agents.ts';
import { redirectParams } from '../../support/oauth/consent.ts';
import { postToken } from '../../support/oauth/partner.ts';

const operator = await createTestOperator();

const newHost = () => `bad-${crypto.randomUUID()}.test`;

/** Addresses that lead to a host, or to one below it, however they are written. */
const spellings: readonly (readonly [name: string, of: (host: string) => string])[] = [
  ['as it is', (host) => `https://${host}/cb`],
  ['in capitals', (host) => `HTTPS://${host.toUpperCase()}/cb`],
  ['with the last dot', (host) => `https://${host}./cb`],
  ['with a port and the last dot', (host) => `https://${host}.:8443/cb`],
  ['with an escaped letter', (host) => `https://%62${host.slice(1)}/cb`],
  ['with a name below it', (host) => `https://a.${host}/cb`],
  ['with two names below it', (host) => `https://a.b.${host.toUpperCase()}./cb`],
];

/** Registers an agent with addresses, and connects it to a new store by the first. */
async function connectByRegistration(uris: string[]) {
  const { status, body } = await registerClient({ client_name: 'A', redirect_uris: uris });
  expect(status).toBe(201);
  const [redirect_uri = ''] = body.redirect_uris as string[];
  const { decide, verifier } = await openAgentPage(body.client_id, { redirect_uri });
  const code = redirectParams(await decide({ areas: ['catalog'] })).get('code') ?? '';
  const client_id: string = body.client_id;
  const form = { grant_type: 'authorization_code', client_id, redirect_uri, code };
  const tokens = await postToken({ ...form, code_verifier: verifier });
  expect(tokens.status).toBe(200);
  const headers = { Authorization: `Bearer ${tokens.body.access_token}` };
  return {
    call: async () => (await callMcp('tools/list', {}, { headers })).status,
    refresh: async () => {
      const { refresh_token } = tokens.body;
      return (await postToken({ grant_type: 'refresh_token', client_id, refresh_token })).status;
    },
  };
}

describe('an assistant of a host that an operator blocks', () => {
  it.each(spellings)('attack: ends and comes back by no address %s', async (_name, of) => {
    const host = newHost();
    const agents = [
      await connectByRegistration([of(host)]),
      // Where only another of its addresses is of the host.
      await connectByRegistration([`https://${newHost()}/cb`, of(host)]),
    ];
    const similar = await connectByRegistration([`https://not${host}/cb`]);
    const sent = `${host.toUpperCase()}.`;
    const blocked = await operator.api('POST /operator/hosts', { host: sent });
    expect(blocked.body.data.host).toBe(host);
    for (const { call, refresh } of agents) {
      expect([await call(), await refresh()]).toEqual([401, 401]);
    }
    expect([await similar.call(), await similar.refresh()]).toEqual([200, 200]);
    const found = await operator.api(`GET /operator/hosts?host=${sent}`);
    expect(found.body.data).toEqual([blocked.body.data]);

    const again = await registerClient({ client_name: 'A', redirect_uris: [of(host)] });
    expect([again.status, again.body.error]).toEqual([400, 'invalid_redirect_uri']);
    const id = newDocumentId();
    const redirect_uris = ['http://127.0.0.1/cb', of(host)];
    using _network = serveDocuments({
      [id]: () => Response.json(agentDocument(id, { redirect_uris })),
    });
    for (const redirect_uri of redirect_uris) {
      expect((await openAgentPage(id, { redirect_uri })).page.status).toBe(400);
    }
  });

  it('attack: comes back by no document below the host, and by none of a host with a last dot', async () => {
    const host = newHost();
    const ids = [`https://a.${host}/client.json`, `https://${newHost()}./client.json`];
    using network = serveDocuments(
      Object.fromEntries(ids.map((id) => [id, () => Response.json(agentDocument(id))])),
    );
    await operator.api('POST /operator/hosts', { host });
    for (const id of ids) {
      const redirect_uri = `https://${new URL(id).hostname}/callback`;
      expect((await openAgentPage(id, { redirect_uri })).page.status).toBe(400);
    }
    expect(network.requests.map(({ url }) => url)).toEqual([ids[0]]);
  });
});

describe('the address of a redirect', () => {
  it.each(['https://ｂad.test/cb', 'https://b\u00ADad.test/cb'])(
    'attack: is not registered with letters that the parser replaces: %s (400)',
    async (uri) => {
      expect((await registerClient({ redirect_uris: [uri] })).status).toBe(400);
    },
  );

  it.each(['https:///bad.test/cb', 'https:////bad.test/cb', 'https:///user@bad.test/cb'])(
    'attack: is not registered with more slashes than two: %s',
    (uri) => {
      expect(validateRedirectUri(uri)).toEqual({ problem: 'scheme' });
    },
  );

  it.each(['http://localhost/cb', 'https://localhost./cb', 'https://a.localhost:8443/cb'])(
    'leads to a program of the device, however loopback is written: %s',
    (uri) => {
      expect(describeRedirectTarget(uri).isThisDevice).toBe(true);
    },
  );
});
