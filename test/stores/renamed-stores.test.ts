import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { reportEvent } from '../../src/app/report-event.ts';
import { createStore } from '../../src/stores/create-store.ts';
import { leaveTombstone } from '../../src/stores/erasure/erase-directory.ts';
import { renameAlias } from '../../src/stores/rename-store.ts';
import { actionOf } from '../support/action.ts';
import { createApiClient } from '../support/api/client.ts';
import { measureRequest } from '../support/api/measure.ts';
import { Browser } from '../support/browser/browser.ts';
import { hiddenFieldsOf } from '../support/browser/form-fields.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { callMcp } from '../support/mcp/assistant.ts';
import { authorizeUrl, consentPath } from '../support/oauth/consent.ts';
import { connectApp, createTestApp, postToken, refreshForm } from '../support/oauth/partner.ts';
import { stopClock } from '../support/stop-clock.ts';
import { appWithWebhook, carry, deliver } from '../webhooks/app-webhook-support.ts';

const day = 86_400_000;
const year = 365 * day;
const newAlias = () => `n${crypto.randomUUID().slice(0, 12)}`;
const brand = () => ({ name: crypto.randomUUID(), active: true });

/** Renames a store, waits for what follows the response, and returns its new alias. */
async function rename({ id, userId }: TestStore, alias = newAlias(), at = Date.now()) {
  const deferred: Promise<unknown>[] = [];
  const action = {
    ...actionOf(userId, at),
    defer: (work: Promise<unknown>) => deferred.push(work),
  };
  await renameAlias(action, { storeId: id, alias, reason: 'A typo' });
  await Promise.all(deferred);
  return alias;
}

/** Creates a store of an alias for a user. */
const create = (userId: number, alias: string) =>
  createStore(actionOf(userId), { alias, name: 'Other', timezone: 'UTC', ownerId: userId });

stopClock();

describe('a former alias', () => {
  it.each(['an API key', 'an access token'])(
    'opens its store to %s for a year by every method, and answers name the new alias; then it is 403',
    async (credential) => {
      const store = await createTestStore();
      const { headers } =
        credential === 'an API key'
          ? store
          : await connectApp(store, { scopes: ['catalog.write'] });
      const api = createApiClient(store.alias, headers);
      expect((await api('GET /catalog/brands')).headers.has('X-Warning')).toBe(false);
      const alias = await rename(store);
      const made = await api('POST /catalog/brands', brand());
      const path = `/catalog/brands/${made.body.data?.id}`;
      for (const [answer, status, address] of [
        [made, 201, '/catalog/brands'],
        [await api(`GET ${path}?include=x`), 200, `${path}?include=x`],
        [await api(`PUT ${path}`, { name: 'Sol', active: false }), 200, path],
        [await api(`DELETE ${path}`), 200, path],
        [await api(`GET ${path}`), 404, path],
        [await api('POST /catalog/brands', {}), 422, '/catalog/brands'],
      ] as const) {
        expect(answer.status).toBe(status);
        expect(answer.headers.get('X-Warning')).toContain(
          `The store is called ${alias} now: ${store.alias} leads to it for a year`,
        );
        expect(answer.headers.get('Link')).toContain(`</v2/${alias}${address}>; rel="canonical"`);
      }
      const renamed = await createApiClient(alias, headers)('GET /catalog/brands');
      expect([renamed.status, renamed.headers.has('X-Warning')]).toEqual([200, false]);
      if (credential === 'an access token') return;
      vi.setSystemTime(Date.now() + year - 1_000);
      expect((await api('GET /catalog/brands')).status).toBe(200);
      vi.setSystemTime(Date.now() + 61_000);
      const ended = await api('GET /catalog/brands');
      const unknown = await createApiClient(newAlias(), headers)('GET /catalog/brands');
      expect([ended.status, ended.headers.has('Link')]).toEqual([403, false]);
      expect({ ...ended.body, request_id: 0 }).toEqual({ ...unknown.body, request_id: 0 });
    },
  );

  it('opens nothing to those who could not open the store', async () => {
    const [store, stranger] = [await createTestStore(), await createTestStore()];
    const { headers: token } = await connectApp(stranger, { scopes: ['catalog.write'] });
    await rename(store);
    for (const headers of [stranger.headers, token]) {
      const { status, headers: sent } = await createApiClient(
        store.alias,
        headers,
      )('GET /catalog/brands');
      expect([status, sent.has('X-Warning'), sent.has('Link')]).toEqual([403, false, false]);
    }
  });

  it('is seen in the isolate that renames at once, also where the new alias was refused before', async () => {
    const store = await createTestStore();
    const { headers } = await connectApp(store, { scopes: ['catalog.write'] });
    const alias = newAlias();
    for (const credentials of [store.headers, headers]) {
      expect((await createApiClient(alias, credentials)('GET /catalog/brands')).status).toBe(403);
      expect((await createApiClient(store.alias, credentials)('GET /catalog/brands')).status).toBe(
        200,
      );
    }
    await rename(store, alias);
    for (const credentials of [store.headers, headers]) {
      const now = await createApiClient(alias, credentials)('GET /catalog/brands');
      const former = await createApiClient(store.alias, credentials)('GET /catalog/brands');
      expect([now.status, former.status]).toEqual([200, 200]);
      expect([now, former].map(({ headers }) => headers.get('Link'))).toEqual([
        null,
        `</v2/${alias}/catalog/brands>; rel="canonical"`,
      ]);
    }
  });

  it('works in an isolate that has not seen the renaming, or whose shard has not', async () => {
    const store = await createTestStore();
    const { headers } = await connectApp(store, { scopes: ['catalog.write'] });
    const other = { ...actionOf(store.userId), defer: () => undefined };
    // The shard and, of the credentials that are known, the isolate keep the former alias.
    await createApiClient(store.alias, store.headers)('GET /catalog/brands');
    const alias = newAlias();
    await renameAlias(other, { storeId: store.id, alias, reason: 'x' });
    for (const credentials of [store.headers, headers]) {
      for (const name of [store.alias, alias]) {
        const made = await createApiClient(name, credentials)('POST /catalog/brands', brand());
        expect(made.status).toBe(201);
      }
    }
  });

  it('costs a request under the present alias nothing, and one under the former a lookup in half a minute', async () => {
    const [never, store] = [await createTestStore(), await createTestStore()];
    const { headers } = await connectApp(store, { scopes: ['catalog.write'] });
    const renamed = { ...store, alias: await rename(store) };
    const lookup = async (of: TestStore, credentials = of.headers) => {
      const caller = { ...of, headers: credentials };
      const { response, directory } = await measureRequest(caller, 'GET /catalog/brands');
      return [response.status, directory.roundTrips, directory.rowsRead];
    };
    const cold = await lookup(never);
    expect(await lookup(renamed)).toEqual(cold);
    expect(cold).toEqual([200, 1, 4]);
    expect(await lookup(store)).toEqual([200, 1, 6]);
    expect(await lookup(store)).toEqual([200, 0, 0]);
    expect(await lookup(renamed)).toEqual([200, 0, 0]);
    // A token that was made before looks its store up once, since its facts are old.
    expect((await lookup(store, headers)).slice(0, 2)).toEqual([200, 1]);
    expect(await lookup(store, headers)).toEqual([200, 0, 0]);
  });

  it('is the same store for idempotency keys, cursors and rate limits', async () => {
    const store = await createTestStore();
    for (let index = 0; index < 3; index += 1) await store.api('POST /catalog/brands', brand());
    const key = { 'Idempotency-Key': crypto.randomUUID() };
    const sent = brand();
    const first = await store.api('POST /catalog/brands', sent, key);
    const page = await store.api('GET /catalog/brands?limit=2');
    const alias = await rename(store);
    const api = createApiClient(alias, store.headers);
    const again = await api('POST /catalog/brands', sent, key);
    expect([again.status, again.headers.get('Idempotent-Replayed')]).toEqual([201, 'true']);
    expect(again.body).toEqual(first.body);
    const next = new URL(page.body.meta.pagination.links.next, 'https://api.test');
    const rest = await api(`GET /catalog/brands${next.search}`);
    expect([rest.status, rest.body.data.length]).toEqual([200, 2]);
  });

  it('is named by tokens, /mcp and pages, which know the present one', async () => {
    const store = await createTestStore();
    const connected = await connectApp(store, { scopes: ['catalog.write'] });
    const agent = await connectApp(store, { resource: 'mcp' });
    const alias = await rename(store);
    const { body } = await postToken(refreshForm(connected.app, connected.tokens.refresh_token));
    expect(body.merchant).toBe(alias);
    const { Authorization = '' } = agent.headers;
    for (const name of [store.alias, alias]) {
      const query = `?store=${name}`;
      const byToken = await callMcp('tools/list', {}, { headers: { Authorization }, query });
      const byKey = await callMcp('tools/list', {}, { headers: store.headers, query });
      expect([byToken.status, byKey.status]).toEqual([200, 200]);
      const canonical = `</mcp?store=${alias}>; rel="canonical"`;
      expect(byKey.headers.get('Link')).toBe(name === alias ? null : canonical);
    }
    const ana = await new Browser().signIn(store.userId);
    for (const [path, target] of [
      [`/account/stores/${store.alias}?done=x`, `/account/stores/${alias}?done=x`],
      [`/account/webhooks/${store.alias}/new`, `/account/webhooks/${alias}/new`],
    ] as const) {
      const { status, location } = await ana.get(path);
      expect([status, location]).toEqual([303, target]);
      expect((await ana.get(target)).status).toBe(200);
    }
    expect((await ana.get(`/account/stores/${newAlias()}`)).status).toBe(404);
    // A form that was open while the store was renamed.
    const edit = `/account/stores/${alias}/edit`;
    const fields = { ...hiddenFieldsOf(await ana.get(edit), edit), name: 'Nova', zone: 'UTC' };
    const last = await rename(store);
    const sent = await ana.post(edit, fields);
    expect([sent.status, sent.location]).toEqual([303, `/account/stores/${last}?done=saved`]);
  });

  it('leads to the consent of its store, also when that is renamed while the page is open', async () => {
    const store = await createTestStore();
    const app = await createTestApp();
    const ana = await new Browser().signIn(store.userId);
    await rename(store);
    const url = authorizeUrl(app, { store: store.alias });
    const page = await ana.get(url);
    expect(page.status).toBe(200);
    const alias = await rename(store);
    const fields = { ...hiddenFieldsOf(page, consentPath), decision: 'approve' };
    const decided = await ana.post(consentPath, fields);
    const target = new URL(decided.location ?? '');
    expect([decided.status, target.searchParams.get('merchant')]).toEqual([303, alias]);
    const foreign = await createTestStore();
    await rename(foreign);
    expect((await ana.get(authorizeUrl(app, { store: foreign.alias }))).status).toBe(403);
  });

  it('finds its store for operators, whose page and operation list it, and for reported events', async () => {
    const store = await createTestStore();
    const operator = await createTestOperator();
    const { id, alias: former } = store;
    const alias = newAlias();
    const renamed = await operator.api(`POST /operator/stores/${id}/rename`, {
      alias,
      reason: 'x',
    });
    const former_aliases = [{ alias: former, left_at: expect.any(Object) as object }];
    expect(renamed).toMatchObject({ status: 200, body: { data: { alias, former_aliases } } });
    for (const query of [`alias=${former}`, `search=${former}`, `alias=${alias}`]) {
      const { body } = await operator.api(`GET /operator/stores?${query}`);
      expect(body).toMatchObject({ data: [{ id, alias }] });
    }
    const olga = await new Browser().signIn(operator.userId);
    expect((await olga.get(`/operator/stores/${id}`)).text).toContain(`Former aliases ${former}`);
    const sample = { event: 'product.updated', resource: {}, idempotency_key: 'x' } as const;
    const report = (name: string) =>
      reportEvent(env, { ...sample, alias: name }, { now: Date.now(), waitUntil: () => undefined });
    expect(await report(former)).toEqual(await report(alias));
    expect(await report(newAlias())).not.toEqual(await report(alias));
  });

  it('is reported to the webhook of each connected app, once', async () => {
    const store = await createTestStore();
    const { app, clientId, url } = await appWithWebhook(store.userId);
    await connectApp(store, { app });
    const gone = await appWithWebhook(store.userId);
    await carry(store);
    await deliver(url);
    const [second, third] = [newAlias(), newAlias()];
    await rename(store, second);
    await carry(store);
    await carry(store);
    await rename(store, third, Date.now() + 1);
    await rename(store, second, Date.now() + 2);
    await carry(store);
    const told = (await deliver(url, { now: Date.now() + 5 })).map(({ body }) => body);
    expect(told.map(({ event, resource }) => [event, resource])).toEqual(
      [store.alias, second, third].map((former) => [
        'store.renamed',
        { client_id: clientId, alias: second, former_alias: former },
      ]),
    );
    expect(told[0]?.merchant).toEqual({ id: store.id, alias: second });
    expect(await deliver(gone.url)).toEqual([]);
  });
});

describe('an alias that a store left', () => {
  it('is never that of another store, also after a year and once the data of the store are erased', async () => {
    const [store, other] = [await createTestStore(), await createTestStore()];
    await rename(store);
    const expectReserved = async () => {
      await expect(create(other.userId, store.alias)).rejects.toMatchObject({
        code: 'alias_taken',
      });
      await expect(rename(other, store.alias)).rejects.toMatchObject({ code: 'alias_taken' });
    };
    await expectReserved();
    vi.setSystemTime(Date.now() + 2 * year);
    await expectReserved();
    await leaveTombstone(env.DIRECTORY, { id: 0, store_id: store.id, reason: null }, Date.now());
    await expectReserved();
    const { results } = await env.DIRECTORY.prepare(
      'select alias from former_aliases where store_id = ?',
    )
      .bind(store.id)
      .all();
    expect(results).toEqual([{ alias: null }]);
  });

  it('is taken back by its own store, also after a year, and the other one then leads there', async () => {
    const store = await createTestStore();
    const alias = await rename(store);
    vi.setSystemTime(Date.now() + 2 * year);
    expect(await rename(store, store.alias)).toBe(store.alias);
    const now = await store.api('GET /catalog/brands');
    const former = await createApiClient(alias, store.headers)('GET /catalog/brands');
    expect([now.headers.has('X-Warning'), former.headers.has('X-Warning')]).toEqual([false, true]);
  });

  it('goes to one store at most when several ask for it while its store leaves it', async () => {
    const rounds = 5;
    for (let round = 0; round < rounds; round += 1) {
      const [store, one, two] = [
        await createTestStore(),
        await createTestStore(),
        await createTestStore(),
      ];
      const wanted = newAlias();
      const results = await Promise.allSettled([
        rename(one, store.alias),
        rename(store, wanted),
        rename(two, store.alias),
        create(two.userId, store.alias),
        rename(one, wanted),
        create(one.userId, wanted),
      ]);
      for (const result of results) {
        if (result.status === 'rejected') expect(result.reason.code).toBe('alias_taken');
      }
      const { results: owners } = await env.DIRECTORY.prepare(
        `select alias, count(distinct store_id) as stores from (
           select alias, id as store_id from stores union all select alias, store_id from former_aliases)
         where alias in (?, ?) group by alias order by stores desc`,
      )
        .bind(store.alias, wanted)
        .all<{ alias: string; stores: number }>();
      expect(owners.map(({ stores }) => stores)).toEqual([1, 1]);
      const { status } = await store.api('GET /catalog/brands');
      expect(status).toBe(200);
    }
  });

  it('is left for the last name that was asked for when two operators rename at once', async () => {
    const store = await createTestStore();
    const names = [newAlias(), newAlias(), newAlias()];
    await Promise.all(names.map((name) => rename(store, name)));
    for (const name of names) {
      const { status } = await createApiClient(name, store.headers)('GET /catalog/brands');
      expect(status).toBe(200);
    }
  });
});
