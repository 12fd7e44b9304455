import { createExecutionContext } from 'cloudflare:test';
import { env, exports } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import localWorker from '../../src/demo/worker.ts';
import { handleRevocationRequest } from '../../src/oauth/revoke-endpoint.ts';
import { Browser } from '../support/browser/browser.ts';
import { flakyDatabase } from '../support/fakes/flaky-database.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { authorizeUrl } from '../support/oauth/consent.ts';
import { documentedResponses, expectDocumentedOAuth } from '../support/oauth/documented.ts';
import { connectApp, createTestApp, postToken, refreshForm } from '../support/oauth/partner.ts';
import '../support/fixtures/first-shard.ts';

/** Requests a path with a form, and reads the body if it is JSON. */
async function send(path: string, init: RequestInit = {}) {
  const response = await exports.default.fetch(`https://api.test${path}`, {
    redirect: 'manual',
    ...init,
  });
  return read(response);
}

async function read(response: Response) {
  const isJson = response.headers.get('Content-Type')?.startsWith('application/json') === true;
  const body: unknown = isJson ? await response.json() : await response.text();
  return { status: response.status, headers: response.headers, body };
}

const post = (form: Record<string, string>) => ({
  method: 'POST',
  body: new URLSearchParams(form),
});

const failingLimit: RateLimit = { limit: () => Promise.resolve({ success: false }) };
const limited = {
  API_LIMIT: failingLimit,
  API_PER_MINUTE: '1',
  REVOCATIONS_LIMIT: failingLimit,
  REVOCATIONS_PER_MINUTE: '1',
} as unknown as Partial<Env>;
const unavailable = () => ({
  STORE_0: flakyDatabase(env.STORE_0, ['before', 'before', 'before', 'before']),
});

/** Posts a form to the revocation endpoint with other bindings. */
const revokeWith = async (bindings: Partial<Env>, form: Record<string, string>) =>
  read(
    await handleRevocationRequest(
      { ...env, ...bindings },
      new Request('https://api.test/oauth/revoke', post(form)),
      Date.now(),
      () => undefined,
    ),
  );

describe('the documented responses of the authorization server', () => {
  it('POST /oauth/token returns 200, 400, 401, 405, 413, 429 and 503 as documented, and nothing else', async () => {
    const { app, tokens } = await connectApp(await createTestStore());
    const form = refreshForm(app, tokens.refresh_token);
    const responses = [
      await postToken({}),
      await postToken({ ...form, client_id: 'nobody' }),
      await send('/oauth/token'),
      await send('/oauth/token', post({ x: 'y'.repeat(20_000) })),
      await postToken(form, { bindings: limited }),
      await postToken(form, { bindings: unavailable() }),
      await postToken(form),
    ];
    for (const response of responses) expectDocumentedOAuth('/oauth/token', response);
    expect(responses.map(({ status }) => String(status)).sort()).toEqual(
      Object.keys(documentedResponses('/oauth/token')),
    );
  });

  it('POST /oauth/revoke returns 200, 400, 401, 405, 413, 429 and 503 as documented, and nothing else', async () => {
    const { app, tokens } = await connectApp(await createTestStore());
    const form = { client_id: app.client_id, token: tokens.refresh_token };
    const responses = [
      await send('/oauth/revoke', post({ client_id: app.client_id })),
      await send('/oauth/revoke', post({ token: tokens.refresh_token })),
      await send('/oauth/revoke'),
      await send('/oauth/revoke', post({ x: 'y'.repeat(20_000) })),
      await revokeWith(limited, form),
      await revokeWith(unavailable(), form),
      await send('/oauth/revoke', post(form)),
    ];
    for (const response of responses) expectDocumentedOAuth('/oauth/revoke', response);
    expect(responses.map(({ status }) => String(status)).sort()).toEqual(
      Object.keys(documentedResponses('/oauth/revoke')),
    );
  });

  it('GET /oauth/authorize returns 200, 302, 400 and 403 as documented, and nothing else', async () => {
    const app = await createTestApp();
    const store = await createTestStore();
    const browser = await new Browser().signIn(store.userId);
    const foreign = `${authorizeUrl(app)}&store=${(await createTestStore()).alias}`;
    const pages = [
      await send(authorizeUrl(app)),
      await send(authorizeUrl(app, { code_challenge: undefined })),
      await send(authorizeUrl({ client_id: 'nobody' })),
    ];
    for (const page of pages) expectDocumentedOAuth('/oauth/authorize', page);
    const statuses = [...pages, await browser.get(foreign)].map(({ status }) => String(status));
    expect(statuses).toEqual(Object.keys(documentedResponses('/oauth/authorize')));
  });

  it.each([
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
  ] as const)('GET %s returns 200 and 421 as documented, and nothing else', async (path) => {
    const elsewhere = new Request<unknown, IncomingRequestCfProperties>(
      `http://rebound.example${path}`,
    );
    const bindings = { ...env, LOCAL_HOSTS: '' } as Env;
    const refused = await localWorker.fetch(elsewhere, bindings, createExecutionContext());
    const responses = [await send(path), await read(refused)];
    expectDocumentedOAuth(path, responses[0]!);
    expect(responses.map(({ status }) => String(status))).toEqual(
      Object.keys(documentedResponses(path)),
    );
  });
});
