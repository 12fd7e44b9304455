import { applyD1Migrations } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../src/base/durations.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { deleteOldAgents, touchAgent, useAgent } from '../../../src/data/directory/agents.ts';
import type { App } from '../../../src/data/directory/apps.ts';
import { listConnections } from '../../../src/data/grants/grant-queries.ts';
import { handleRegistration } from '../../../src/oauth/agents/register-endpoint.ts';
import { purgeAgents } from '../../../src/ops/purge-directory.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { flakyDatabase } from '../../support/fakes/flaky-database.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { registerClient } from '../../support/oauth/agents.ts';
import { documentedResponses, expectDocumentedOAuth } from '../../support/oauth/documented.ts';
import { connectApp, postToken, refreshForm } from '../../support/oauth/partner.ts';

const directory = openDatabase(env.DIRECTORY);

const agentOf = async (clientId: string) =>
  env.DIRECTORY.prepare('select * from apps where client_id = ?').bind(clientId).first<App>();

const register = (body: unknown, bindings: Partial<Env> = {}, now = Date.now(), address?: string) =>
  handleRegistration(
    { ...env, ...bindings },
    new Request('https://api.test/oauth/register', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: address === undefined ? {} : { 'CF-Connecting-IP': address },
    }),
    now,
  );

const metadata = { client_name: 'Editor', redirect_uris: ['http://127.0.0.1/callback'] };

describe('a host that operators have blocked', () => {
  it('registers nothing (400), and gets no consent', async () => {
    const host = `${crypto.randomUUID()}.test`;
    await env.DIRECTORY.prepare(
      `insert into blocked_hosts (host, reason, created_at) values (?, 'spam', 0)`,
    )
      .bind(host)
      .run();
    const redirect_uris = [`https://${host}/callback`];
    const refused = await register({ ...metadata, redirect_uris });
    expect(refused.status).toBe(400);
    const agent = {
      client_id: `https://${host}/a.json`,
      host,
      name: 'A',
      names: null,
      publisher: host,
    };
    const values = { ...agent, redirect_uris, scopes: 1 };
    expect(await useAgent(directory, { ...values, hosts: [host] }, Date.now())).toBe(false);
    expect(await agentOf(agent.client_id)).toBeNull();
  });
});

describe('POST /oauth/register', () => {
  it('registers a public client (201), whatever it asks for, in one round trip', async () => {
    const cost = noCost();
    const response = await register(
      {
        ...metadata,
        redirect_uris: ['http://127.0.0.1:33418/', 'https://editor.test/redirect'],
        token_endpoint_auth_method: 'client_secret_basic',
        grant_types: ['implicit', 'client_credentials'],
        scope: 'everything',
      },
      { DIRECTORY: countingDatabase(env.DIRECTORY, cost) },
    );
    expect(response.status).toBe(201);
    const body = await response.json<{ client_id: string }>();
    expect(body).toEqual({
      client_id: expect.stringMatching(/^[\w-]{24}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'Editor',
      redirect_uris: ['http://127.0.0.1:33418/', 'https://editor.test/redirect'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    });
    expect(cost.roundTrips).toBe(1);
    expect(await agentOf(body.client_id)).toMatchObject({
      owner_id: null,
      host: 'editor.test',
      state: 'published',
      used_at: null,
    });
  });

  it('returns 201, 400, 405, 429 and 503 as documented, and nothing else', async () => {
    const limit: RateLimit = { limit: () => Promise.resolve({ success: false }) };
    const limited = {
      REGISTRATIONS_LIMIT: limit,
      REGISTRATIONS_PER_MINUTE: '1',
    } as unknown as Partial<Env>;
    const failing = { DIRECTORY: flakyDatabase(env.DIRECTORY, Array(4).fill('before')) };
    const get = await exports.default.fetch('https://api.test/oauth/register');
    const others = [await register(metadata, limited), await register(metadata, failing), get];
    const responses = [
      await registerClient(metadata),
      await registerClient('['),
      ...(await Promise.all(
        others.map(async (response) => ({
          status: response.status,
          headers: response.headers,
          body: await response.json(),
        })),
      )),
    ];
    for (const response of responses) expectDocumentedOAuth('/oauth/register', response);
    expect(responses.map(({ status }) => String(status)).sort()).toEqual(
      Object.keys(documentedResponses('/oauth/register')),
    );
  });

  it.each([
    [['javascript:alert(1)']],
    [['data:text/html,x']],
    [['http://evil.test/callback']],
    [['https://10.0.0.1/callback']],
    [['https://evil.test/*']],
    [['https://evil.test/#x']],
    [['file:///etc/passwd']],
    [['intent://x']],
    [[]],
    ['https://evil.test/'],
    [undefined],
  ])('attack A14, A19: refuses the redirect URIs %j (400)', async (redirect_uris) => {
    const { status, body } = await registerClient({ ...metadata, redirect_uris });
    expect([status, body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it.each([
    ['', 'The metadata of the client are malformed: send a JSON object.'],
    ['{', 'The metadata of the client are malformed: send a JSON object.'],
    ['[]', 'The metadata of the client are malformed: send a JSON object.'],
    ['null', 'The metadata of the client are malformed: send a JSON object.'],
    [
      { ...metadata, client_name: 'x'.repeat(5_200) },
      'The metadata of the client have more than 5120 bytes.',
    ],
  ])(
    'refuses metadata that are not JSON, or of more than 5 KB (400)',
    async (sent, description) => {
      const { status, body } = await registerClient(sent);
      expect([status, body.error, body.error_description]).toEqual([
        400,
        'invalid_client_metadata',
        description,
      ]);
    },
  );

  it('names its limit to a client with eleven redirect URIs (400), each counted once', async () => {
    const uris = Array.from({ length: 10 }, (_, n) => `https://editor.test/callback/${n}`);
    const ten = await registerClient({ ...metadata, redirect_uris: [...uris, uris[0]] });
    expect([ten.status, ten.body.redirect_uris]).toEqual([201, uris]);
    const redirect_uris = [...uris, 'https://editor.test/callback'];
    const { status, body } = await registerClient({ ...metadata, redirect_uris });
    expect([status, body.error, body.error_description]).toEqual([
      400,
      'invalid_redirect_uri',
      'redirect_uris has more than 10 addresses.',
    ]);
  });

  it('takes null for absent, and ignores what it does not know', async () => {
    const unused = [
      'client_name',
      'client_uri',
      'logo_uri',
      'scope',
      'contacts',
      'tos_uri',
      'jwks',
      'software_id',
      'grant_types',
      'token_endpoint_auth_method',
      'client_name#pt-BR',
    ];
    const { redirect_uris } = metadata;
    const sent = { ...Object.fromEntries(unused.map((name) => [name, null])), redirect_uris };
    const { status, body } = await registerClient({
      ...sent,
      'x-own': { a: [1] },
      __proto__: null,
    });
    expect([status, body.client_name]).toEqual([201, '127.0.0.1']);
    expect(Object.keys(body).filter((name) => name.includes('#'))).toEqual([]);
    const none = await registerClient({ ...sent, redirect_uris: null });
    expect([none.status, none.body.error]).toEqual([400, 'invalid_redirect_uri']);
  });

  it('keeps the names of the languages of this service, the own tag of each first', async () => {
    const registered = await registerClient({
      ...metadata,
      'client_name#pt-PT': 'De Portugal',
      'client_name#PT-br': 'Editor do \u202eBrasil<br>',
      'client_name#es-419': 'Editor de aquí',
      'client_name#fr': 'Éditeur',
      'client_name#es-MX': 7,
      'client_name#': 'x',
    });
    expectDocumentedOAuth('/oauth/register', registered);
    expect(registered.body).toMatchObject({
      client_name: 'Editor',
      'client_name#pt-BR': 'Editor do Brasil',
      'client_name#es': 'Editor de aquí',
    });
    expect(registered.body).not.toHaveProperty('client_name#fr');
    const { redirect_uris } = metadata;
    const only = await registerClient({ redirect_uris, 'client_name#pt': 'Só' });
    expect(only.body.client_name).toBe('Só');
  });

  it('attack: stores no more of a thousand registrations of a network than its limit (429)', async () => {
    let asked = 0;
    const limit: RateLimit = { limit: () => Promise.resolve({ success: (asked += 1) < 10 }) };
    const cost = noCost();
    const bindings = {
      REGISTRATIONS_LIMIT: limit,
      REGISTRATIONS_PER_MINUTE: '10',
      DIRECTORY: countingDatabase(env.DIRECTORY, cost),
    } as unknown as Partial<Env>;
    // Another minute than that of other tests, which share the isolate.
    const now = Date.now() + dayMs;
    const statuses = [];
    for (let count = 0; count < 1_000; count += 1) {
      statuses.push((await register(metadata, bindings, now)).status);
    }
    const stored = statuses.filter((status) => status === 201).length;
    expect(stored).toBeLessThanOrEqual(11);
    expect(cost.roundTrips).toBe(stored);
    expect(statuses.filter((status) => status === 429)).toHaveLength(1_000 - stored);
  });
});

describe('agents that wait for their first consent', () => {
  /** Registers in a directory in which no other test does. */
  async function createDirectory(most: number) {
    const { EMPTY_DIRECTORY: DIRECTORY } = env;
    await applyD1Migrations(DIRECTORY, env.DIRECTORY_MIGRATIONS);
    await DIRECTORY.prepare('delete from apps where host is not null').run();
    const cost = noCost();
    const bindings = {
      DIRECTORY: countingDatabase(DIRECTORY, cost),
      UNUSED_REGISTRATIONS: String(most),
    } as unknown as Partial<Env>;
    const registerFrom = async (address: string) => {
      const response = await register(metadata, bindings, Date.now(), address);
      expect(response.status).toBe(201);
      return (await response.json<{ client_id: string }>()).client_id;
    };
    const kept = async () => {
      const { results } = await DIRECTORY.prepare(
        'select client_id from apps where host is not null and used_at is null order by id',
      ).all<{ client_id: string }>();
      return results.map(({ client_id }) => client_id);
    };
    return { DIRECTORY, cost, registerFrom, kept };
  }

  /** An address of a network, of which each test has its own. */
  const addressOf = (network: number) => `198.51.${network}.7`;

  it('attack: are 50 of a network, whose oldest gives way to a new one, also of 60 at once', async () => {
    const { cost, registerFrom, kept } = await createDirectory(5_000);
    const other = await registerFrom(addressOf(2));
    // An IPv6 network counts as a whole, since one person may have all of a /48.
    const addresses = Array.from({ length: 60 }, (_, n) => `2001:db8:7:${n.toString(16)}::1`);
    const registered = await Promise.all(addresses.map(registerFrom));
    expect(cost.roundTrips).toBe(61);
    const left = await kept();
    expect(left).toHaveLength(51);
    expect(left[0]).toBe(other);
    const last = await registerFrom('2001:db8:7:ffff::1');
    expect(await kept()).toEqual([other, ...left.slice(2), last]);
    expect(registered).toEqual(expect.arrayContaining(left.slice(1)));
  });

  it('attack: are as many as fit: the oldest of the network with the most gives way, so nobody keeps others out', async () => {
    const { DIRECTORY, registerFrom, kept } = await createDirectory(20);
    const first = [await registerFrom(addressOf(1)), await registerFrom(addressOf(2))];
    const flood = [];
    for (let count = 0; count < 18; count += 1) flood.push(await registerFrom(addressOf(3)));
    const more = [await registerFrom(addressOf(3)), await registerFrom(addressOf(4))];
    expect(await kept()).toEqual([...first, ...flood.slice(2), ...more]);

    // One that gets its consent waits no more, and its network is forgotten.
    const host = '127.0.0.1';
    const agent = {
      client_id: first[0]!,
      host,
      name: 'Editor',
      names: null,
      publisher: 'Editor',
    };
    const values = { ...agent, hosts: [host], redirect_uris: metadata.redirect_uris, scopes: 1 };
    expect(await useAgent(openDatabase(DIRECTORY), values, Date.now())).toBe(true);
    await registerFrom(addressOf(5));
    expect(await kept()).toHaveLength(20);
    const used = DIRECTORY.prepare('select network, used_at from apps where client_id = ?');
    expect(await used.bind(first[0]).first()).toEqual({
      network: null,
      used_at: expect.any(Number),
    });
    // A day later they are gone.
    await deleteOldAgents(openDatabase(DIRECTORY), Date.now() + dayMs + 1);
    expect(await kept()).toEqual([]);
    await DIRECTORY.prepare('delete from apps where host is not null').run();
  });
});

describe('unused agents', () => {
  const newAgent = async () => {
    const { body } = await registerClient(metadata);
    const agent = await agentOf(body.client_id);
    if (!agent) throw new Error('the agent is not stored');
    return { ...agent, hosts: ['127.0.0.1'], redirect_uris: metadata.redirect_uris };
  };

  /** Makes an agent older, since tests share the directory. */
  const age = (clientId: string, by: { created?: number; used?: number }) =>
    env.DIRECTORY.prepare(
      'update apps set created_at = created_at - ?, used_at = used_at - ? where client_id = ?',
    )
      .bind(by.created ?? 0, by.used ?? 0, clientId)
      .run();

  it('are deleted a day after their registration, and 97 days after their last use', async () => {
    const now = Date.now();
    const [unused, used] = [await newAgent(), await newAgent()];
    expect(await useAgent(directory, used, now)).toBe(true);
    const exists = async () => [
      (await agentOf(unused.client_id)) !== null,
      (await agentOf(used.client_id)) !== null,
    ];
    await age(unused.client_id, { created: dayMs - 60_000 });
    await age(used.client_id, { created: 400 * dayMs, used: 97 * dayMs - 60_000 });
    await deleteOldAgents(directory, now);
    expect(await exists()).toEqual([true, true]);
    await age(unused.client_id, { created: 120_000 });
    await deleteOldAgents(directory, now);
    expect(await exists()).toEqual([false, true]);
    await age(used.client_id, { used: 2 * 3_600_000 });
    const hour = 3_600_000;
    await purgeAgents(env.DIRECTORY, Math.floor(now / hour) * hour + 36 * 60_000);
    expect(await exists()).toEqual([false, true]);
    await purgeAgents(env.DIRECTORY, Math.floor(now / hour) * hour + 37 * 60_000);
    expect(await exists()).toEqual([false, false]);
  });

  it('are not the apps of partners', async () => {
    const { app } = await connectApp(await createTestStore());
    await age(app.client_id, { created: 400 * dayMs });
    await deleteOldAgents(directory, Date.now());
    expect(await agentOf(app.client_id)).not.toBeNull();
  });

  it('are in use again with each token, which is recorded once a week', async () => {
    const now = Date.now();
    const agent = await newAgent();
    await useAgent(directory, agent, now);
    await touchAgent(directory, { ...agent, used_at: now }, now + 6 * dayMs);
    expect((await agentOf(agent.client_id))?.used_at).toBe(now);
    await touchAgent(directory, { ...agent, used_at: now }, now + 8 * dayMs);
    expect((await agentOf(agent.client_id))?.used_at).toBe(now + 8 * dayMs);
  });

  it('keep their grant for 90 days without use, where an app of a partner has 30', async () => {
    const store = await createTestStore();
    const now = Date.now();
    const { app, tokens } = await connectApp(store, { host: 'agent.test', resource: 'mcp', now });
    expect(tokens.refresh_token_expires_in).toBe(90 * 86_400);
    const later = await postToken(refreshForm(app, tokens.refresh_token), {
      now: now + 89 * dayMs,
    });
    expect(later.status).toBe(200);
    // Its last use, as the account shows it, is that of the refresh: at most ten minutes before its
    // last call.
    expect(await listConnections(env, [store], now + 89 * dayMs)).toMatchObject([
      { clientId: app.client_id, connectedAt: now, lastUsedAt: now + 89 * dayMs },
    ]);
    const late = { now: now + (89 + 91) * dayMs };
    const ended = await postToken(refreshForm(app, later.body.refresh_token), late);
    expect([ended.status, ended.body.hint]).toEqual([400, 'Token has been revoked']);
  });
});
