import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import localWorker from '../../../src/demo/worker.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  agentDocument,
  newDocumentId,
  openAgentPage,
  registerClient,
  serveDocuments,
} from '../../support/oauth/agents.ts';
import { redirectParams } from '../../support/oauth/consent.ts';
import { contextOfTool } from '../../support/oauth/mcp-request.ts';
import { connectApp, createTestApp, postToken, refreshForm } from '../../support/oauth/partner.ts';

/** An agent of a host with a grant of a store, and a browser of the merchant. */
async function connectedAgent() {
  const host = `agent-${crypto.randomUUID()}.test`;
  const store = await createTestStore();
  const app = await createTestApp({ host });
  const connected = await connectApp(store, { app, resource: 'mcp' });
  const { results } = await env.DIRECTORY.prepare(
    `update users set name = 'Ana' where id = ? returning id`,
  )
    .bind(store.userId)
    .all();
  expect(results).toHaveLength(1);
  const call = async (method: string, path: string, body?: unknown) => {
    const request = new Request(`https://api.test/v2/${store.alias}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${connected.tokens.access_token}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await localWorker.fetch(request, env, contextOfTool());
    return response.status;
  };
  const browser = await new Browser().signIn(store.userId);
  return { ...connected, host, store, browser, call };
}

/** A change that the activity records. */
const webhook = {
  name: 'Agent',
  url: 'https://hooks.example.com/agent',
  events: ['product.created'],
};

/** Lets a person consent to an agent, redeems its code, and opens the page of connected apps. */
async function connectedBy(clientId: string, redirect_uri: string) {
  const { browser, page, decide, verifier } = await openAgentPage(clientId, { redirect_uri });
  const code = redirectParams(await decide({ areas: ['catalog'] })).get('code') ?? '';
  const { status } = await postToken({
    grant_type: 'authorization_code',
    client_id: clientId,
    redirect_uri,
    code,
    code_verifier: verifier,
  });
  expect(status).toBe(200);
  return { consent: page.text, apps: (await browser.get('/account/apps')).text };
}

describe('where an assistant comes from', () => {
  it('attack: is a claim on both pages for a program of the device with the document of a known host', async () => {
    const id = newDocumentId();
    const { hostname } = new URL(id);
    const document = agentDocument(id, {
      redirect_uris: [`https://${hostname}/callback`, 'http://127.0.0.1/callback'],
    });
    using _network = serveDocuments({ [id]: () => Response.json(document) });
    const local = await connectedBy(id, 'http://127.0.0.1:51004/callback');
    expect(local.consent).toContain('a program on this device (127.0.0.1:51004)');
    expect(local.apps).toContain(
      `Program on a device. It says that it is from ${hostname}, which is not verified, nor is its name`,
    );
    const remote = await connectedBy(id, `https://${hostname}/callback`);
    expect(remote.consent).toMatch(new RegExp(`It comes from ${hostname} verified`));
    expect(remote.apps).toContain(`Assistant from ${hostname}, whose name is not verified`);
  });

  it('attack: is the host that got the answer, whatever other hosts it registered', async () => {
    const [known, own] = ['known-brand.test', `${crypto.randomUUID()}.test`];
    const redirect_uris = [`https://${known}/callback`, `https://${own}/callback`];
    const { body } = await registerClient({ client_name: 'Editor', redirect_uris });
    const { consent, apps } = await connectedBy(body.client_id, redirect_uris[1]!);
    expect(consent).toMatch(new RegExp(`It comes from ${own} verified`));
    expect(apps).toContain(`Assistant from ${own}, whose name is not verified`);
    expect(apps).not.toContain(known);
  });

  it('is no host for a program of the device that registered itself', async () => {
    const { body } = await registerClient({ redirect_uris: ['http://127.0.0.1/callback'] });
    const { apps } = await connectedBy(body.client_id, 'http://127.0.0.1:51004/callback');
    expect(apps).toContain('Program on a device, whose name is not verified');
  });
});

describe('an agent among the connected apps', () => {
  it('has its host, says that its name is not verified, and links to what it did', async () => {
    const { browser, host, app, store } = await connectedAgent();
    const { text, html } = await browser.get('/account/apps');
    expect(text).toContain(`Test App Assistant from ${host}, whose name is not verified`);
    const query = `actor_kind=app&amp;actor_id=${encodeURIComponent(app.client_id)}`;
    expect(html).toContain(`href="/account/stores/${store.alias}/activity?${query}"`);
  });

  it('is named in the activity with its host and the person for whom it works', async () => {
    const { browser, host, app, store, call } = await connectedAgent();
    const path = `/account/stores/${store.alias}/activity`;
    // Of one that did nothing yet, no row has the name, and the page says what it does not list.
    const idle = await browser.get(`${path}?actor_kind=app&actor_id=${app.client_id}`);
    expect(idle.text).toContain(
      'Nothing so far. Reads are not listed here, nor the products and orders that a program other than an assistant changes.',
    );
    expect(idle.text).not.toContain(app.client_id);
    expect(await call('POST', '/webhooks', webhook)).toBe(201);
    const name = `Test App at ${host}, for Ana`;
    expect((await browser.get(path)).text).toContain(name);
    const filtered = await browser.get(`${path}?actor_kind=app&actor_id=${app.client_id}`);
    expect(filtered.text).toContain(`You see only what ${name} did.`);
    const portuguese = await browser.get(`${path}?lang=pt-BR`);
    expect(portuguese.text).toContain(`Test App de ${host}, para Ana`);
    const { body } = await store.api('GET /audit');
    const actors = body.data.map(({ actor }: { actor: { name: string } }) => actor.name);
    expect(actors).toContain(name);
  });

  it('loses its access with the next call (401) when it is disconnected', async () => {
    const { browser, app, store, call } = await connectedAgent();
    expect(await call('GET', '/catalog/brands')).toBe(200);
    const path = `/account/apps/${store.alias}/${app.client_id}/disconnect`;
    const page = await browser.get(path);
    expect((await browser.post(path, hiddenFieldsOf(page, path))).status).toBe(303);
    expect(await call('GET', '/catalog/brands')).toBe(401);
  });

  it('attack: stays connected for other members when one disconnects it, unless they say otherwise', async () => {
    const { app, store, browser, call } = await connectedAgent();
    const colleague = await createTestStore();
    await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
      .bind(colleague.userId, store.id)
      .run();
    const shared = { ...store, userId: colleague.userId };
    const others = await connectApp(shared, { app, resource: 'mcp' });
    const theirs = async () =>
      (await postToken(refreshForm(app, others.tokens.refresh_token))).status;
    const path = `/account/apps/${store.alias}/${app.client_id}/disconnect`;
    const page = await browser.get(path);
    expect(page.text).toContain('Also disconnect it for the other members of the store');
    expect((await browser.post(path, hiddenFieldsOf(page, path))).status).toBe(303);
    expect([await call('GET', '/catalog/brands'), await theirs()]).toEqual([401, 200]);

    // Who has no connection of their own ends that of others.
    const again = await browser.get(path);
    expect(again.text).not.toContain('Also disconnect it for the other members');
    expect((await browser.post(path, hiddenFieldsOf(again, path))).status).toBe(303);
    expect(await theirs()).toBe(400);
    expect((await browser.get(path)).status).toBe(404);
  });

  it('is disconnected for all members by who says so', async () => {
    const { app, store, browser, call } = await connectedAgent();
    const colleague = await createTestStore();
    await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
      .bind(colleague.userId, store.id)
      .run();
    const others = await connectApp(
      { ...store, userId: colleague.userId },
      { app, resource: 'mcp' },
    );
    const path = `/account/apps/${store.alias}/${app.client_id}/disconnect`;
    const page = await browser.get(path);
    const sent = { ...hiddenFieldsOf(page, path), everyone: 'yes' };
    expect((await browser.post(path, sent)).status).toBe(303);
    expect(await call('GET', '/catalog/brands')).toBe(401);
    const ended = await postToken(refreshForm(app, others.tokens.refresh_token));
    expect(ended.body.hint).toBe('Token has been revoked');
  });

  it('can be disconnected when its client id is an address', async () => {
    const store = await createTestStore();
    const app = await createTestApp({ host: 'agent.test' });
    const clientId = `https://agent.test/${crypto.randomUUID()}.json`;
    await env.DIRECTORY.prepare('update apps set client_id = ? where id = ?')
      .bind(clientId, app.id)
      .run();
    const { tokens } = await connectApp(store, {
      app: { ...app, client_id: clientId },
      resource: 'mcp',
    });
    expect(tokens.access_token).toMatch(/^oat_/);
    const browser = await new Browser().signIn(store.userId);
    const { html } = await browser.get('/account/apps');
    const path = /href="(\/account\/apps\/[^"]+\/disconnect)"/.exec(html)?.[1] ?? '';
    const page = await browser.get(path);
    const action = /action="(\/account\/apps[^"]+)"/.exec(page.html)?.[1] ?? '';
    expect((await browser.post(action, hiddenFieldsOf(page, action))).status).toBe(303);
    expect((await browser.get('/account/apps')).text).not.toContain('agent.test');
  });
});
