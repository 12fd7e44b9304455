import { createExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scopesFromBits } from '../../../src/data/grants/scopes.ts';
import localWorker from '../../../src/demo/worker.ts';
import { Browser } from '../../support/browser/browser.ts';
import {
  agentDocument,
  newDocumentId,
  openAgentPage,
  registerClient,
  serveDocuments,
} from '../../support/oauth/agents.ts';
import { authorizeUrl, grantsOf, redirectParams } from '../../support/oauth/consent.ts';
import { markedAsMcp } from '../../support/oauth/mcp-request.ts';
import { postToken, postRevocation } from '../../support/oauth/partner.ts';

const json = (document: unknown) => () => Response.json(document);

/** Serves the document of a new agent while a test runs. */
function newAgent(changes: Record<string, unknown> = {}) {
  const id = newDocumentId();
  const document = agentDocument(id, changes);
  const network = serveDocuments({ [id]: json(document) });
  return { id, redirect_uri: document.redirect_uris[0]!, host: new URL(id).hostname, network };
}

const scopesOfGrant = async (client_id: string) => {
  const grants = await grantsOf({ client_id });
  return grants.map(({ scopes, resource }) => [
    [...scopesFromBits(scopes as number)].join(' '),
    resource,
  ]);
};

describe('the consent page of an agent', () => {
  it('shows its host as verified, its name as its own claim, the store and the choices', async () => {
    const { id, redirect_uri, host, network } = newAgent();
    using _network = network;
    const { page, store } = await openAgentPage(id, { redirect_uri });
    expect(page.status).toBe(200);
    expect(page.text).toMatch(new RegExp(`It comes from ${host} verified`));
    expect(page.text).toMatch(/It calls itself Claude not verified/);
    expect(page.text).toContain(store.alias);
    expect(page.text).toContain('In each case it sees your name');
    expect(page.text).toContain('If it may change: It can decide where the money');
    // A risk and personal data are in sight; what else an area has is folded.
    const folded = /<details>[^]*?<\/details>/.exec(page.html)?.[0] ?? '';
    expect(folded).toContain('More about Catalogue, Stock, Invoices');
    expect(folded).toContain('See your catalogue');
    expect(folded).not.toMatch(/If it may|names|customers/);
    const inputs = Array.from(
      page.html.matchAll(/<input type="(radio|checkbox)"[^>]*>/g),
      ([tag]) => ({
        value: /value="([^"]*)"/.exec(tag)?.[1],
        checked: / checked/.test(tag),
      }),
    );
    expect(inputs.filter(({ checked }) => checked).map(({ value }) => value)).toEqual([
      'read',
      'catalog',
      'inventory',
      'comments',
      'carts',
      'orders',
      'invoices',
    ]);
    expect(inputs.filter(({ checked }) => !checked).map(({ value }) => value)).toEqual([
      'write',
      'customers',
      'transactions',
      'payments',
      'config',
      'webhooks',
    ]);
  });

  it.each([
    ['pt-BR', 'não verificado', 'Só ler'],
    ['es', 'no verificado', 'Solo leer'],
  ])('speaks %s', async (language, notVerified, readOnly) => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const { browser } = await openAgentPage(id, { redirect_uri });
    const page = await browser.get(
      `${authorizeUrl({ client_id: id }, { redirect_uri })}&lang=${language}`,
    );
    expect(page.text).toContain(notVerified);
    expect(page.text).toContain(readOnly);
  });

  it('attack: shows a name that imitates a known brand as not verified, without markup', async () => {
    const { id, redirect_uri, host, network } = newAgent({
      client_name: 'Claude (verified) by Anthropic <script>alert(1)</script>',
    });
    using _network = network;
    const { page } = await openAgentPage(id, { redirect_uri });
    expect(page.text).toMatch(/Claude \(verified\) by Anthropic.* not verified/);
    expect(page.text).toContain(host);
    expect(page.html).not.toContain('<script>alert');
  });

  it('attack: calls no host verified when a program of the device gets the answer', async () => {
    const { id, host, network } = newAgent({ redirect_uris: ['http://localhost/callback'] });
    using _network = network;
    const redirect_uri = 'http://localhost:51004/callback';
    const { page } = await openAgentPage(id, { redirect_uri });
    expect(page.text).toContain('a program on this device (localhost:51004)');
    expect(page.text).toMatch(new RegExp(`It says that it is from ${host} not verified`));
    expect(page.text).not.toMatch(/(?<!not )verified/);
  });

  it('is not shown, and nothing is read, before a user has signed in', async () => {
    const { id, redirect_uri, host, network } = newAgent();
    using _network = network;
    const page = await new Browser().get(authorizeUrl({ client_id: id }, { redirect_uri }));
    expect(page.text).toContain(host);
    expect(page.html).toContain('type="password"');
    expect(network.requests).toEqual([]);
  });

  it('returns 400 for a document that cannot be read, and stores nothing', async () => {
    const id = newDocumentId();
    using _network = serveDocuments({});
    const { page } = await openAgentPage(id, { redirect_uri: 'https://evil.test/callback' });
    expect(page.status).toBe(400);
    expect(page.text).toContain('the metadata document at client_id cannot be read');
  });

  it('attack: returns 400 for a redirect URI that is not in the document', async () => {
    const { id, network } = newAgent();
    using _network = network;
    const { page } = await openAgentPage(id, { redirect_uri: 'https://evil.test/callback' });
    expect([page.status, page.location]).toEqual([400, null]);
  });
});

describe('the decision about an agent', () => {
  const usual = ['catalog', 'orders'];

  it('grants what the person chose, for the tools only: to read', async () => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const { decide } = await openAgentPage(id, { redirect_uri });
    const page = await decide({ areas: [...usual, 'customers'] });
    expect(page.status).toBe(303);
    expect(redirectParams(page).get('code')).not.toBeNull();
    expect(await scopesOfGrant(id)).toEqual([['catalog.read customers.read orders.read', 'mcp']]);
  });

  it('grants changes if the person chose them', async () => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const { decide } = await openAgentPage(id, { redirect_uri });
    await decide({ access: 'write', areas: usual });
    expect(await scopesOfGrant(id)).toEqual([['catalog.write orders.write', 'mcp']]);
  });

  it('attack: grants nothing that the agent did not ask for', async () => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const { decide, page } = await openAgentPage(id, {
      redirect_uri,
      scope: 'catalog.read orders.write',
    });
    expect(page.html).not.toContain('value="customers"');
    await decide({ access: 'write', areas: [...usual, 'customers', 'payments', '__proto__'] });
    expect(await scopesOfGrant(id)).toEqual([['catalog.read orders.write', 'mcp']]);
  });

  it('shows the page again (422) when no area is ticked, and grants nothing', async () => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const { decide } = await openAgentPage(id, { redirect_uri });
    const page = await decide({ areas: [] });
    expect(page.status).toBe(422);
    expect(page.text).toContain('Tick at least one area');
    expect(await scopesOfGrant(id)).toEqual([]);
  });

  it('stores nothing when the person denies', async () => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const { decide } = await openAgentPage(id, { redirect_uri });
    const page = await decide({ decision: 'deny', areas: usual });
    expect(redirectParams(page).get('error')).toBe('access_denied');
    const stored = env.DIRECTORY.prepare('select 1 from apps where client_id = ?').bind(id);
    expect(await stored.first()).toBeNull();
  });

  it('attack: counts the redirect URIs of the document as it is then', async () => {
    const id = newDocumentId();
    const redirect_uri = `https://${new URL(id).hostname}/callback`;
    let document = agentDocument(id);
    using _network = serveDocuments({ [id]: () => Response.json(document) });
    const { decide } = await openAgentPage(id, { redirect_uri });
    document = agentDocument(id, { redirect_uris: ['https://evil.test/callback'] });
    const page = await decide({ areas: usual });
    expect(page.location).toMatch(/^\/oauth\/authorize/);
    expect(await scopesOfGrant(id)).toEqual([]);
  });
});

describe('the tokens of an agent', () => {
  const callOf = (alias: string, token: string) =>
    localWorker.fetch(
      markedAsMcp(`https://api.test/v2/${alias}/catalog/brands`, {
        Authorization: `Bearer ${token}`,
      }),
      env,
      createExecutionContext(),
    );

  it('are those of a public client, from consent to revocation, after which the next call is a 401', async () => {
    const { body: client } = await registerClient({
      client_name: 'Editor',
      redirect_uris: ['http://127.0.0.1/callback'],
    });
    const redirect_uri = 'http://127.0.0.1:51004/callback';
    const { client_id } = client;
    const { page, decide, verifier, store } = await openAgentPage(client_id, { redirect_uri });
    expect(page.text).toContain('a program on this device (127.0.0.1:51004)');
    const code = redirectParams(await decide({ areas: ['catalog'] })).get('code') ?? '';
    const form = { client_id, code, redirect_uri, code_verifier: verifier };
    const { status, body } = await postToken({ ...form, grant_type: 'authorization_code' });
    expect([status, body.scope]).toEqual([200, 'catalog.read']);
    expect((await callOf(store.alias, body.access_token)).status).toBe(200);
    await postRevocation({ client_id, token: body.refresh_token });
    expect((await callOf(store.alias, body.access_token)).status).toBe(401);
  });

  it('are given for the address of a document once a user has consented to it', async () => {
    const { id, redirect_uri, network } = newAgent();
    using _network = network;
    const early = await postToken({ grant_type: 'refresh_token', client_id: id });
    expect(early.body.error).toBe('invalid_client');
    const { decide, verifier } = await openAgentPage(id, { redirect_uri });
    const code = redirectParams(await decide({ areas: ['catalog'] })).get('code') ?? '';
    const form = { client_id: id, code, redirect_uri, code_verifier: verifier };
    const { status, body } = await postToken({ ...form, grant_type: 'authorization_code' });
    expect([status, body.error]).toEqual([200, undefined]);
  });
});
