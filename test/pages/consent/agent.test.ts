import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { scopesFromBits } from '../../../src/data/grants/scopes.ts';
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
import {
  authorizeUrl,
  consentPath,
  grantsOf,
  redirectParams,
} from '../../support/oauth/consent.ts';
import { contextOfTool } from '../../support/oauth/mcp-request.ts';
import {
  approveConsent,
  createTestApp,
  postToken,
  postRevocation,
} from '../../support/oauth/partner.ts';

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

  it.each([
    ['en', 'Shop helper'],
    ['pt-BR', 'Ajudante da loja'],
    ['es', 'Ayudante'],
  ])(
    'shows the name that the agent has in %s, also among the connected apps',
    async (lang, name) => {
      const { id, redirect_uri, network } = newAgent({
        client_name: 'Shop helper',
        'client_name#pt': 'Ajudante da loja',
        'client_name#es-ES': 'Ayudante',
        logo_uri: null,
      });
      using _network = network;
      const { browser, decide, verifier } = await openAgentPage(id, { redirect_uri });
      const url = authorizeUrl({ client_id: id }, { redirect_uri });
      const page = await browser.get(`${url}&lang=${lang}`);
      expect(page.text).toContain(`${name} `);
      const code = redirectParams(await decide({ areas: ['catalog'] })).get('code') ?? '';
      const form = { client_id: id, code, redirect_uri, code_verifier: verifier };
      expect((await postToken({ ...form, grant_type: 'authorization_code' })).status).toBe(200);
      const { text } = await browser.get(`/account/apps?lang=${lang}`);
      expect(text).toContain(name);
    },
  );

  it.each([
    ['en', 'the client at client_id is not public'],
    ['pt-BR', 'o cliente em client_id não é público'],
    ['es', 'el cliente de client_id no es público'],
  ])('says in %s why a client with a key is refused (400)', async (lang, sentence) => {
    const { id, redirect_uri, network } = newAgent({
      token_endpoint_auth_method: 'private_key_jwt',
    });
    using _network = network;
    const { browser } = await openAgentPage(id, { redirect_uri });
    const url = authorizeUrl({ client_id: id }, { redirect_uri });
    const page = await browser.get(`${url}&lang=${lang}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain(sentence);
    expect(page.text).toContain(': private_key_jwt');
  });

  it('attack: shows a name that imitates a known brand as not verified, without markup and marks', async () => {
    const { id, redirect_uri, host, network } = newAgent({
      client_name: 'Claude (verified) by Anthropic <script>alert(1)</script>',
    });
    using _network = network;
    const { page } = await openAgentPage(id, { redirect_uri });
    expect(page.text).toMatch(/It calls itself Claude by Anthropic.* not verified/);
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

describe('how often an agent is connected', () => {
  const live = async (client_id: string) =>
    (await grantsOf({ client_id })).filter(({ revoked_at }) => revoked_at === null);

  it('counts for each person and store: nobody ends the connection of another', async () => {
    const store = await createTestStore();
    const app = await createTestApp({ host: 'agent.test' });
    for (let member = 0; member < 12; member += 1) {
      const { userId } = member === 0 ? store : await createTestStore();
      await approveConsent({ ...store, userId }, app, { resource: 'mcp' });
    }
    expect(await live(app.client_id)).toHaveLength(12);
    // Nor with the app of a partner, of which one's own oldest connection gives way.
    const ofPartner = await createTestApp();
    const { userId } = await createTestStore();
    const first = await approveConsent({ ...store, userId }, ofPartner, { now: Date.now() - 9 });
    for (let count = 0; count < 11; count += 1) {
      await approveConsent(store, ofPartner, { now: Date.now() - 8 + count / 2 });
    }
    const ids = (await live(ofPartner.client_id)).map(({ id }) => id);
    expect([ids.length, ids.includes(first.grantId)]).toEqual([11, true]);
  });

  it.each([
    ['en', 'You have connected this assistant to this store 10 times already.'],
    ['pt-BR', 'Você já conectou este assistente a esta loja 10 vezes.'],
    ['es', 'Ya conectaste este asistente a esta tienda 10 veces.'],
  ])(
    'refuses an own eleventh in %s (409), also of many at once, and ends none',
    async (lang, sentence) => {
      const { id, redirect_uri, network } = newAgent();
      using _network = network;
      const { browser, store, decide } = await openAgentPage(id, { redirect_uri });
      const url = `${authorizeUrl({ client_id: id }, { redirect_uri })}&lang=${lang}`;
      expect((await decide({ areas: ['catalog'] })).status).toBe(303);
      const app = { ...(await createTestApp({ host: 'agent.test' })), client_id: id };
      for (let count = 0; count < 8; count += 1) {
        await approveConsent(store, app, { resource: 'mcp' });
      }
      const pages = await Promise.all(Array.from({ length: 4 }, () => browser.get(url)));
      const answers = await Promise.all(
        pages.map((page) =>
          browser.post(consentPath, {
            ...hiddenFieldsOf(page, consentPath),
            decision: 'approve',
            access: 'read',
            area: ['catalog'],
          }),
        ),
      );
      const statuses = answers.map(({ status }) => status);
      expect(statuses.toSorted((one, other) => one - other)).toEqual([303, 409, 409, 409]);
      expect(answers.find(({ status }) => status === 409)?.text).toContain(sentence);
      expect(await live(id)).toHaveLength(10);
      // The assistant of a page that was refused can still be told so.
      const refused = answers.find(({ status }) => status === 409)!;
      const denied = await browser.post(consentPath, {
        ...hiddenFieldsOf(refused, consentPath),
        decision: 'deny',
      });
      expect(redirectParams(denied).get('error')).toBe('access_denied');
    },
  );
});

describe('the tokens of an agent', () => {
  const callOf = (alias: string, token: string) =>
    localWorker.fetch(
      new Request(`https://api.test/v2/${alias}/catalog/brands`, {
        headers: { Authorization: `Bearer ${token}` },
      }),
      env,
      contextOfTool(),
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
