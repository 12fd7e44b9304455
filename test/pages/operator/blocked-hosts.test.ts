import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { callMcp } from '../../support/mcp/assistant.ts';
import {
  agentDocument,
  newDocumentId,
  openAgentPage,
  registerClient,
  serveDocuments,
} from '../../support/oauth/agents.ts';
import { redirectParams } from '../../support/oauth/consent.ts';
import { connectApp, createTestApp } from '../../support/oauth/partner.ts';

const operator = await createTestOperator();
const reason = 'It phished merchants';

const newHost = () => `bad-${crypto.randomUUID()}.test`;

/** Connects an agent of a host to a new store. */
async function connectAgent(options: { host: string; redirectUris?: string[] }) {
  const app = await createTestApp(options);
  const { headers, store } = await connectApp(await createTestStore(), { app, resource: 'mcp' });
  const call = async () => (await callMcp('tools/list', {}, { headers })).status;
  return { app, store, call };
}

const block = (host: string, more: object = {}) =>
  operator.api('POST /operator/hosts', { host, ...more });

describe('a host that an operator blocks by page', () => {
  it('loses its assistants with the next call (401), and gets no other until it is unblocked', async () => {
    const host = newHost();
    const [agent, other] = [await connectAgent({ host }), await connectAgent({ host: newHost() })];
    expect([await agent.call(), await other.call()]).toEqual([200, 200]);
    const browser = await new Browser().signIn(operator.userId);
    const made = await browser.submit('/operator/hosts/new', { host: host.toUpperCase(), reason });
    expect([made.status, made.location]).toEqual([303, '/operator/hosts?done=blockHost']);
    expect([await agent.call(), await other.call()]).toEqual([401, 200]);

    const list = await browser.get('/operator/hosts?done=blockHost');
    expect(list.text).toContain(host);
    expect(list.text).toContain(reason);
    const activity = await browser.get('/operator/activity');
    expect(activity.text).toContain(
      `Blocked the assistants of a host Reason: ${reason} host ${host}`,
    );

    const redirect_uris = [`https://${host}/callback`];
    const registration = { client_name: 'A', redirect_uris };
    expect((await registerClient(registration)).status).toBe(400);
    const id = newDocumentId(host);
    using _network = serveDocuments({ [id]: () => Response.json(agentDocument(id)) });
    const [redirect_uri = ''] = redirect_uris;
    expect((await openAgentPage(id, { redirect_uri })).page.status).toBe(400);

    const unblock = /href="(\/operator\/hosts\/\d+\/unblock)"/;
    const row = list.html.slice(list.html.indexOf(host));
    const path = unblock.exec(row)?.[1] ?? '';
    expect((await browser.submit(path, { reason: 'A mistake' })).status).toBe(303);
    expect((await browser.get('/operator/hosts')).text).not.toContain(host);
    // Its grants have ended for ever; a new consent opens the store again.
    expect(await agent.call()).toBe(401);
    expect((await registerClient(registration)).status).toBe(201);
    const { decide } = await openAgentPage(id, { redirect_uri });
    expect(redirectParams(await decide({ areas: ['catalog'] })).get('code')).not.toBeNull();
    const again = await connectApp(agent.store, { app: agent.app, resource: 'mcp' });
    const { headers } = again;
    expect((await callMcp('tools/list', {}, { headers })).status).toBe(200);
  });

  it.each([
    ['en', 'Block a host', 'Assistants of this host register no more'],
    ['pt-BR', 'Bloquear um servidor', 'Assistentes deste servidor não se registram mais'],
    ['es', 'Bloquear un servidor', 'Los asistentes de este servidor ya no se registran'],
  ])('is asked for in %s', async (language, title, lead) => {
    const browser = await new Browser().signIn(operator.userId);
    const page = await browser.get(`/operator/hosts/new?lang=${language}`);
    expect(page.text).toContain(title);
    expect(page.text).toContain(lead);
    expect((await browser.get(`/operator/hosts?lang=${language}`)).status).toBe(200);
  });
});

describe('GET /operator/hosts', () => {
  it('returns 200 with the blocked hosts, or with the one that is asked for', async () => {
    const host = newHost();
    const blocked = await block(host, { reason });
    const { status, body } = await operator.api(`GET /operator/hosts?host=${host}`);
    expect([status, body.data]).toEqual([200, [blocked.body.data]]);
    const all = await operator.api('GET /operator/hosts');
    expect(all.body.data).toContainEqual(blocked.body.data);
  });
});

describe('POST /operator/hosts', () => {
  it('returns 201 with the host, also a second time, when it keeps its reason', async () => {
    const host = newHost();
    const first = await block(host, { reason });
    expect([first.status, first.body.data]).toMatchObject([201, { host, reason }]);
    const second = await block(host, { reason: 'Another' });
    expect([second.status, second.body.data]).toEqual([201, first.body.data]);
    const lines = await env.DIRECTORY.prepare(
      `select count(*) as n from audit where action = 'host.blocked' and target_id = ?`,
    )
      .bind(host)
      .first('n');
    expect(lines).toBe(1);
  });

  it('withdraws every assistant that the host may be sent the answer of, each at its own time', async () => {
    const host = newHost();
    const agents = [
      await connectAgent({ host }),
      await connectAgent({ host }),
      await connectAgent({
        host: newHost(),
        redirectUris: ['https://partner.test/callback', `https://${host}:8443/callback`],
      }),
    ];
    const similar = await connectAgent({ host: `${host}.test` });
    const partner = await createTestApp({ redirectUris: [`https://${host}/callback`] });
    await block(host);
    expect(await Promise.all(agents.map(({ call }) => call()))).toEqual([401, 401, 401]);
    expect(await similar.call()).toBe(200);
    const { results } = await env.DIRECTORY.prepare(
      'select distinct withdrawn_at from apps where id in (?, ?, ?) and withdrawn_at is not null',
    )
      .bind(...agents.map(({ app }) => app.id))
      .all();
    expect(results).toHaveLength(3);
    const state = env.DIRECTORY.prepare('select state from apps where id = ?').bind(partner.id);
    expect(await state.first('state')).toBe('published');
  });

  it.each(['', 'localhost', '127.0.0.1', '[::1]', 'https://bad.test', 'bad.test/x', 'bad_.test'])(
    'returns 422 for %j, which is no public host',
    async (host) => {
      const { status, body } = await block(host);
      expect([status, Object.keys(body.errors)]).toEqual([422, ['host']]);
    },
  );
});

describe('POST /operator/hosts/{id}/unblock', () => {
  it('returns 200, and 404 for one that is not blocked', async () => {
    const { body } = await block(newHost());
    const request = `POST /operator/hosts/${body.data.id}/unblock`;
    expect((await operator.api(request)).status).toBe(200);
    expect((await operator.api(request)).status).toBe(404);
  });
});
