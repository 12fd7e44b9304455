import { describe, expect, it } from 'vitest';
import type { OAuthTokens, Tokens } from '../../src/client/core/public.ts';
import { fakeClient, jsonResponse, refusedResponse, type Respond } from './support.ts';

/**
 * An authorization server whose generation of tokens goes up with every refresh, as in `src/oauth`.
 */
function fakeService({ loseAnswers = 0 } = {}) {
  let generation = 1;
  const refreshes: string[] = [];
  const respond: Respond = async ({ path, headers, body }) => {
    // As over a network, so that calls overlap.
    await new Promise((resolve) => void setTimeout(resolve, 1));
    if (path !== '/oauth/token') {
      const isCurrent = headers.get('Authorization') === `Bearer access-${generation}`;
      return isCurrent ? jsonResponse({ ok: true }) : refusedResponse(401, 'unauthenticated');
    }
    const token = new URLSearchParams(body).get('refresh_token') ?? '';
    refreshes.push(token);
    if (token === `refresh-${generation}`) generation += 1;
    else if (token !== `refresh-${generation - 1}`) {
      return jsonResponse({ error: 'invalid_grant', hint: 'The token was used before.' }, 400);
    }
    if (refreshes.length <= loseAnswers) throw new TypeError('fetch failed');
    return jsonResponse({
      access_token: `access-${generation}`,
      refresh_token: `refresh-${generation}`,
      expires_in: 600,
    });
  };
  return { respond, refreshes, endAccess: () => (generation += 5) };
}

const oauth = (
  change: Partial<OAuthTokens> = {},
  expires_at: OAuthTokens['tokens']['expires_at'] = Date.now() + 600_000,
) => ({
  apiKey: undefined,
  oauth: {
    clientId: 'app',
    tokens: { access_token: 'access-1', refresh_token: 'refresh-1', expires_at },
    ...change,
  },
});

const times = <T>(count: number, make: () => PromiseLike<T>) =>
  Promise.all(Array.from({ length: count }, make));

describe('an app', () => {
  it.each([
    ['milliseconds', Date.now() - 1],
    ['seconds', Math.floor(Date.now() / 1_000) - 1],
    ['a date', new Date(Date.now() - 1)],
    ['ISO 8601', new Date(Date.now() - 1).toISOString()],
  ])('refreshes once for many calls before the token expires, in %s', async (_form, expiresAt) => {
    const { respond, refreshes } = fakeService();
    const saved: Tokens[] = [];
    const { shop, sent } = fakeClient(
      respond,
      oauth({ onTokens: (tokens) => void saved.push(tokens) }, expiresAt),
    );
    await times(20, () => shop.request('GET', '/x'));
    expect(refreshes).toEqual(['refresh-1']);
    expect(saved).toMatchObject([{ access_token: 'access-2', refresh_token: 'refresh-2' }]);
    expect(saved[0]!.expires_at).toBeGreaterThan(Date.now() + 590_000);
    expect(sent).toHaveLength(21);
  });

  it('answers a 401 by one refresh and one repetition', async () => {
    const { respond, refreshes, endAccess } = fakeService();
    const { shop } = fakeClient(
      respond,
      oauth({ tokens: { access_token: 'old', refresh_token: 'refresh-1' } }),
    );
    await times(20, () => shop.request('GET', '/x'));
    expect(refreshes).toEqual(['refresh-1']);
    const refusing = fakeClient(
      ({ path }) =>
        path === '/oauth/token'
          ? jsonResponse({ access_token: 'b', refresh_token: 'c', expires_in: 600 })
          : refusedResponse(401, 'unauthenticated'),
      oauth(),
    );
    await expect(refusing.shop.request('GET', '/x')).rejects.toMatchObject({ status: 401 });
    expect(refusing.sent.map(({ path }) => path)).toEqual([
      '/v2/demo/x',
      '/oauth/token',
      '/v2/demo/x',
    ]);
    endAccess();
    await expect(shop.request('GET', '/x')).rejects.toMatchObject({
      code: 'invalid_grant',
      status: 400,
    });
    await expect(shop.request('GET', '/x')).rejects.toMatchObject({ code: 'invalid_grant' });
    // The refusedResponse is final, so the token is not sent again.
    expect(refreshes).toHaveLength(2);
  });

  it('sends the same refresh token again when the answer was lost', async () => {
    const { respond, refreshes } = fakeService({ loseAnswers: 2 });
    const { shop } = fakeClient(respond, oauth({}, Date.now()));
    expect(await shop.request('GET', '/x')).toEqual({ ok: true });
    expect(refreshes).toEqual(['refresh-1', 'refresh-1', 'refresh-1']);
  });

  it('uses no tokens before they are stored, and stores them again after a failure', async () => {
    const { respond, refreshes } = fakeService();
    let failures = 1;
    const saved: string[] = [];
    const onTokens = async ({ access_token }: Tokens) => {
      await new Promise((resolve) => void setTimeout(resolve, 5));
      if (failures-- > 0) throw new Error('disk full');
      saved.push(access_token);
    };
    const { shop, sent } = fakeClient(
      (request, count) => {
        if (request.path !== '/oauth/token') expect(saved).toEqual(['access-2']);
        return respond(request, count);
      },
      oauth({ onTokens }, Date.now()),
    );
    await expect(shop.request('GET', '/x')).rejects.toThrow('disk full');
    expect(await shop.request('GET', '/x')).toEqual({ ok: true });
    expect(refreshes).toEqual(['refresh-1']);
    expect(sent).toHaveLength(2);
  });

  it('keeps tokens out of errors', async () => {
    const { shop } = fakeClient(
      () => jsonResponse({ error: 'invalid_grant', error_description: 'Ended.' }, 400),
      oauth({}, 1),
    );
    const failure = await shop.request('GET', '/x').catch((error: unknown) => error);
    expect(JSON.stringify(failure, Object.getOwnPropertyNames(failure))).not.toMatch(
      /access-|refresh-/,
    );
  });

  it('ends only the waiting of a call that is aborted', async () => {
    const { respond, refreshes } = fakeService();
    const { shop } = fakeClient(respond, oauth({}, Date.now()));
    const controller = new AbortController();
    const aborted = shop
      .request('GET', '/x', { signal: controller.signal })
      .catch((error: unknown) => error);
    const other = shop.request('GET', '/x');
    controller.abort(new Error('enough'));
    expect(await aborted).toMatchObject({ message: 'enough' });
    expect(await other).toEqual({ ok: true });
    expect(refreshes).toEqual(['refresh-1']);
  });
});
