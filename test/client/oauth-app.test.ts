import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type {
  KeptAuthorization,
  OAuthAppConfig,
  StoredTokens,
  Tokens,
  TokenStore,
} from '../../src/client/core/public.ts';
import { client, oauthApp } from '../../src/client/index.ts';
import { jsonResponse, refusedResponse } from './support.ts';

/** A store of tokens that processes share. `steps` records every read and change. */
function sharedStore(initial?: Tokens) {
  const records = new Map<string, StoredTokens>(initial && [['demo', initial]]);
  const steps: string[] = [];
  const store: TokenStore = {
    get: (name) => {
      steps.push('get');
      return Promise.resolve(records.get(name));
    },
    compareAndSet: (name, expected, next) => {
      const fits = records.get(name)?.refresh_token === expected?.refresh_token;
      steps.push(`${expected?.refresh_token} to ${next?.refresh_token}: ${fits}`);
      if (fits && next) records.set(name, next);
      else if (fits) records.delete(name);
      return Promise.resolve(fits);
    },
  };
  return { store, records, steps };
}

const tokensOf = (generation: number, expires_at: number): Tokens => ({
  access_token: `access-${generation}`,
  refresh_token: `refresh-${generation}`,
  expires_at,
});

/**
 * An authorization server with the rules of `src/oauth`: the last refresh token and the one before
 * get the same successor until it is used; an older one ends the connection.
 */
function fakeServer() {
  const server = {
    generation: 1,
    isEnded: false,
    forms: [] as Record<string, string>[],
    /** Called with each form before it is answered; a response or an error replaces the answer. */
    before: (_form: Record<string, string>): Response | Error | undefined => undefined,
    answer: (extra = {}) =>
      jsonResponse({
        token_type: 'Bearer',
        access_token: `access-${server.generation}`,
        refresh_token: `refresh-${server.generation}`,
        expires_in: 600,
        ...extra,
      }),
    fetch: async (url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
      // As over a network, so that processes overlap.
      await new Promise((resolve) => void setTimeout(resolve, 1));
      const path = String(url).replace('https://api.test', '');
      const body = init.body instanceof URLSearchParams ? init.body.toString() : '';
      if (!path.startsWith('/oauth/')) {
        const sent = new Headers(init.headers).get('Authorization');
        const isCurrent = !server.isEnded && sent === `Bearer access-${server.generation}`;
        return isCurrent ? jsonResponse({ ok: true }) : refusedResponse(401, 'unauthenticated');
      }
      const form = Object.fromEntries(new URLSearchParams(body));
      server.forms.push({ path, ...form });
      const replaced = server.before(form);
      if (replaced instanceof Error) throw replaced;
      if (replaced) return replaced;
      if (path === '/oauth/revoke') {
        server.isEnded = true;
        return jsonResponse({});
      }
      if (form.code !== undefined) return server.answer({ merchant: 'demo', scope: 'orders.read' });
      const age = server.generation - Number(form.refresh_token?.replace('refresh-', ''));
      if (age === 0) server.generation += 1;
      else if (age !== 1) server.isEnded = true;
      return server.isEnded ? jsonResponse({ error: 'invalid_grant' }, 400) : server.answer();
    },
  };
  return server;
}

const setUp = (initial?: Tokens, change: Partial<OAuthAppConfig> = {}) => {
  const server = fakeServer();
  const shared = sharedStore(initial);
  const config = {
    baseUrl: 'https://api.test',
    clientId: 'app',
    redirectUri: 'https://app.test/callback',
    tokenStore: shared.store,
    fetch: server.fetch,
    ...change,
  };
  const app = oauthApp(config);
  /** A client in a process of its own: it shares nothing but the store. */
  const process = () => oauthApp(config).client('demo');
  return { server, ...shared, app, process };
};

const callback = (query: Record<string, string>) =>
  `https://app.test/callback?${new URLSearchParams(query).toString()}`;

describe('authorizeUrl', () => {
  it('has the fields of the specification, a challenge of the kept verifier, and new values each time', async () => {
    const { app } = setUp();
    const { url, kept } = await app.authorizeUrl({ scopes: ['orders.read', 'catalog.read'] });
    const { origin, pathname, searchParams } = new URL(url);
    expect(origin + pathname).toBe('https://api.test/oauth/authorize');
    expect(Object.fromEntries(searchParams)).toEqual({
      response_type: 'code',
      client_id: 'app',
      redirect_uri: 'https://app.test/callback',
      state: kept.state,
      code_challenge: createHash('sha256').update(kept.verifier).digest('base64url'),
      code_challenge_method: 'S256',
      scope: 'orders.read catalog.read',
    });
    expect(kept.verifier).toMatch(/^[\w-]{43}$/);
    expect(kept.state).toMatch(/^[\w-]{43}$/);
    const other = await app.authorizeUrl();
    expect(other.kept.state).not.toBe(kept.state);
    expect(other.kept.verifier).not.toBe(kept.verifier);
    expect(new URL(other.url).searchParams.has('scope')).toBe(false);
  });
});

describe('exchange', () => {
  const kept: KeptAuthorization = {
    state: 'state-1',
    verifier: 'verifier-1',
    redirectUri: 'https://app.test/callback',
  };

  it('sends the fields of the specification, stores the tokens and takes the store from the answer', async () => {
    const { app, server, records } = setUp();
    const query = { code: 'c', state: 'state-1', iss: 'https://api.test', merchant: 'altered' };
    const connection = await app.exchange(callback(query), kept);
    expect(server.forms).toEqual([
      {
        path: '/oauth/token',
        grant_type: 'authorization_code',
        client_id: 'app',
        redirect_uri: 'https://app.test/callback',
        code: 'c',
        code_verifier: 'verifier-1',
      },
    ]);
    expect(connection).toMatchObject({ store: 'demo', scopes: ['orders.read'] });
    expect(records.get('demo')).toEqual(connection.tokens);
    expect(await app.client('demo').request('GET', '/x')).toEqual({ ok: true });
    expect(await app.isConnected('demo')).toBe(true);
  });

  it.each([
    ['state_mismatch', { code: 'c', state: 'other' }],
    ['state_mismatch', { code: 'c' }],
    ['state_mismatch', { error: 'access_denied', state: 'other' }],
    ['issuer_mismatch', { code: 'c', state: 'state-1', iss: 'https://evil.test' }],
    ['issuer_mismatch', { error: 'access_denied', state: 'state-1', iss: '' }],
    ['access_denied', { error: 'access_denied', state: 'state-1' }],
    ['invalid_scope', { error: 'invalid_scope', error_description: 'No.', state: 'state-1' }],
    ['invalid_callback', { state: 'state-1' }],
  ])('refuses with %s before it sends anything: %o', async (code, query) => {
    const { app, server } = setUp();
    await expect(app.exchange(callback(query), kept)).rejects.toMatchObject({ code, status: 0 });
    expect(server.forms).toEqual([]);
  });

  it('refuses a repeated parameter, and an answer that nobody waits for', async () => {
    const { app, server } = setUp();
    const twice = `${callback({ code: 'a', state: 'state-1' })}&code=b`;
    await expect(app.exchange(twice, kept)).rejects.toMatchObject({ code: 'invalid_callback' });
    const answer = app.exchange(callback({ code: 'a', state: '' }), undefined);
    await expect(answer).rejects.toMatchObject({ code: 'state_mismatch' });
    expect(server.forms).toEqual([]);
  });

  it('never repeats a code whose answer was lost, but one that was refused for now', async () => {
    const { app, server } = setUp();
    const url = callback({ code: 'c', state: 'state-1' });
    for (const lost of [() => new Error('reset'), () => new Response('', { status: 502 })]) {
      server.forms.length = 0;
      server.before = lost;
      await expect(app.exchange(url, kept)).rejects.toMatchObject({ name: 'ApiError' });
      expect(server.forms).toHaveLength(1);
    }
    server.forms.length = 0;
    server.before = () =>
      server.forms.length === 1 ? refusedResponse(503, 'unavailable') : undefined;
    expect(await app.exchange(url, kept)).toMatchObject({ store: 'demo' });
    expect(server.forms).toHaveLength(2);
  });

  it('replaces and ends an older connection, and stays connected if that fails', async () => {
    const { app, server, records } = setUp(tokensOf(7, Date.now() + 600_000), { retries: 0 });
    server.before = ({ token }) => (token === undefined ? undefined : new Error('reset'));
    await app.exchange(callback({ code: 'c', state: 'state-1' }), kept);
    expect(server.forms.at(-1)).toEqual({
      path: '/oauth/revoke',
      client_id: 'app',
      token: 'refresh-7',
    });
    expect(records.get('demo')).toMatchObject({ refresh_token: 'refresh-1' });
  });

  it('keeps codes, verifiers and tokens out of errors', async () => {
    const { app, server } = setUp();
    server.before = () => jsonResponse({ error: 'invalid_grant', hint: 'Expired.' }, 400);
    const failure = await app
      .exchange(callback({ code: 'secret-code', state: 'state-1' }), kept)
      .catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'invalid_grant', hint: 'Expired.' });
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(
      /secret-code|verifier-1/,
    );
  });
});

describe('two processes with one store of tokens', () => {
  it('refresh to the same successor: the first stores it, the other takes it', async () => {
    const { server, records, steps, process } = setUp(tokensOf(1, 0));
    const [first, second] = [process(), process()];
    await Promise.all([first.request('GET', '/x'), second.request('GET', '/x')]);
    expect(steps.filter((step) => step.startsWith('refresh'))).toEqual([
      'refresh-1 to refresh-2: true',
      'refresh-1 to refresh-2: false',
    ]);
    expect(records.get('demo')).toMatchObject({ refresh_token: 'refresh-2' });
    expect(server.isEnded).toBe(false);
  });

  it('send no refresh token that the other has replaced', async () => {
    const { server, store, process } = setUp(tokensOf(1, Date.now() + 600_000));
    const [first, second] = [process(), process()];
    await Promise.all([first.request('GET', '/x'), second.request('GET', '/x')]);
    // The first goes on alone for two generations; the second still has the tokens of the first
    // one.
    for (const generation of [2, 3]) {
      await store.compareAndSet(
        'demo',
        tokensOf(generation - 1, 0),
        tokensOf(generation, Date.now() + 600_000),
      );
      server.generation = generation;
    }
    const sentBefore = server.forms.length;
    await second.request('GET', '/x');
    expect(server.forms.length).toBe(sentBefore);
    expect(server.isEnded).toBe(false);
  });

  it('lose nothing when one dies between refresh and store: the next sends the stored token again', async () => {
    const { server, store, records, process } = setUp(tokensOf(1, 0));
    const dying = client({
      baseUrl: 'https://api.test',
      store: 'demo',
      fetch: server.fetch,
      oauth: {
        clientId: 'app',
        tokenStore: { ...store, compareAndSet: () => new Promise<boolean>(() => undefined) },
      },
    });
    void dying.request('GET', '/x').catch(() => undefined);
    while (server.generation === 1) await new Promise((resolve) => void setTimeout(resolve, 1));
    expect(records.get('demo')).toMatchObject({ refresh_token: 'refresh-1' });
    expect(await process().request('GET', '/x')).toEqual({ ok: true });
    expect(records.get('demo')).toMatchObject({ refresh_token: 'refresh-2' });
    expect(server.forms.map((form) => form.refresh_token)).toEqual(['refresh-1', 'refresh-1']);
  });

  it('give up a repetition when the other has stored a successor meanwhile', async () => {
    const { server, store, process } = setUp(tokensOf(1, 0));
    server.before = () => {
      if (server.forms.length > 1) return undefined;
      server.generation = 3;
      void store.compareAndSet('demo', tokensOf(1, 0), tokensOf(3, Date.now() + 600_000));
      return new Error('reset');
    };
    expect(await process().request('GET', '/x')).toEqual({ ok: true });
    expect(server.forms).toHaveLength(1);
    expect(server.isEnded).toBe(false);
  });

  it('end when the connection has ended, and take the tokens of a new one', async () => {
    const { server, records, process } = setUp(tokensOf(1, 0));
    server.isEnded = true;
    const shop = process();
    await expect(shop.request('GET', '/x')).rejects.toMatchObject({ code: 'invalid_grant' });
    await expect(shop.request('GET', '/x')).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(server.forms).toHaveLength(1);
    server.isEnded = false;
    server.generation = 9;
    records.set('demo', tokensOf(9, Date.now() + 600_000));
    expect(await shop.request('GET', '/x')).toEqual({ ok: true });
  });
});

describe('uninstall', () => {
  it('revokes, deletes, and leaves other processes without a connection', async () => {
    const { app, server, records, process } = setUp(tokensOf(1, Date.now() + 600_000));
    const other = process();
    await other.request('GET', '/x');
    await app.uninstall('demo');
    await app.uninstall('demo');
    expect(server.forms).toEqual([{ path: '/oauth/revoke', client_id: 'app', token: 'refresh-1' }]);
    expect(records.size).toBe(0);
    await expect(other.request('GET', '/x')).rejects.toMatchObject({ code: 'not_connected' });
    expect(await app.isConnected('demo')).toBe(false);
  });

  it('keeps the tokens while the service does not answer, so that it can be repeated', async () => {
    const { app, server, records } = setUp(tokensOf(1, 0), { retries: 0 });
    server.before = () => new Error('reset');
    await expect(app.uninstall('demo')).rejects.toMatchObject({ code: 'network' });
    expect(records.size).toBe(1);
    server.before = () => undefined;
    await app.uninstall('demo');
    expect(records.size).toBe(0);
  });
});

describe('isConnected', () => {
  it('deletes the tokens of an ended connection only', async () => {
    const { app, server, records } = setUp(tokensOf(1, Date.now() + 600_000));
    expect(await app.isConnected('demo')).toBe(true);
    server.isEnded = true;
    expect(await app.isConnected('demo')).toBe(false);
    expect(records.size).toBe(0);
  });

  it('keeps the tokens of a newer connection, although an older one has ended', async () => {
    const { app, server, store, records } = setUp(tokensOf(1, 0));
    server.before = () => {
      if (server.forms.length > 1) return undefined;
      // The merchant connects again while the refresh of the old tokens is under way.
      server.generation = 5;
      void store.compareAndSet('demo', tokensOf(1, 0), tokensOf(5, Date.now() + 600_000));
      return jsonResponse({ error: 'invalid_grant' }, 400);
    };
    expect(await app.isConnected('demo')).toBe(true);
    expect(records.get('demo')).toMatchObject({ refresh_token: 'refresh-5' });
  });
});
