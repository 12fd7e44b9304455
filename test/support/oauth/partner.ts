import { env, exports } from 'cloudflare:workers';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { randomBase64url } from '../../../src/base/crypto/random.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import type { App } from '../../../src/data/directory/apps.ts';
import { scopesToBits, scopes, type Scope } from '../../../src/data/grants/scopes.ts';
import { users } from '../../../src/data/schema/directory/directory-tables.ts';
import { apps } from '../../../src/data/schema/directory/partners-tables.ts';
import {
  mintAccessToken,
  verifyAccessToken,
  type AccessClaims,
} from '../../../src/http/access/access-token.ts';
import { generateClientId } from '../../../src/oauth/client.ts';
import { issueCode } from '../../../src/oauth/issue-code.ts';
import type { TokenResponse } from '../../../src/oauth/oauth-schemas.ts';
import { hostsOf } from '../../../src/oauth/redirect-uris.ts';
import { handleTokenRequest } from '../../../src/oauth/token/token-endpoint.ts';
import { createApiClient } from '../api/client.ts';
import type { TestStore } from '../fixtures/store.ts';

export const partnerRedirectUri = 'https://partner.test/callback';

/** Creates an app for one test; by default it is published and has all scopes. */
export async function createTestApp(
  options: {
    scopes?: readonly Scope[];
    state?: App['state'];
    redirectUris?: string[];
    ownerId?: number;
    /** The address of its site. */
    site?: string;
    /** Makes it an agent of this host, which no partner registered. */
    host?: string;
  } = {},
): Promise<App> {
  const directory = openDatabase(env.DIRECTORY);
  const now = Date.now();
  const stamps = { created_at: now, updated_at: now };
  const clientId = await generateClientId(settingsOf(env));
  const redirectUris = options.redirectUris ?? [partnerRedirectUri];
  const email = `${crypto.randomUUID()}@partner.test`;
  const ownerId = options.host
    ? null
    : (options.ownerId ??
      (
        await directory
          .insert(users)
          .values({ email, name: 'Test Partner', ...stamps })
          .returning()
      )[0]!.id);
  const [created] = await directory
    .insert(apps)
    .values({
      client_id: clientId,
      owner_id: ownerId,
      host: options.host,
      hosts: options.host ? [options.host, ...hostsOf(redirectUris)] : null,
      name: 'Test App',
      publisher: 'Test Partner',
      site_url: options.site,
      redirect_uris: redirectUris,
      scopes: scopesToBits(new Set(options.scopes ?? scopes)),
      state: options.state ?? 'published',
      ...stamps,
    })
    .returning();
  return created!;
}

/** An authorization code with everything that the app needs to redeem it. */
export interface ApprovedCode {
  code: string;
  verifier: string;
  grantId: string;
  app: App;
  store: TestStore;
}

/** Issues a code as the consent page does when a merchant approves. */
export async function approveConsent(
  store: TestStore,
  toApp: App,
  options: {
    now?: number;
    shard?: number;
    redirectUri?: string;
    verifier?: string;
    resource?: 'mcp';
  } = {},
): Promise<ApprovedCode> {
  const verifier = options.verifier ?? randomBase64url(32);
  const grantId = randomBase64url(16);
  const challenge = await sha256(verifier);
  const code = await runWithDeferred((defer) =>
    issueCode(
      env,
      {
        grantId,
        clientId: toApp.client_id,
        userId: store.userId,
        store: { id: store.id, alias: store.alias, shard: options.shard ?? store.shard },
        scopes: toApp.scopes,
        resource: options.resource,
        host: toApp.host,
        isAgent: toApp.host !== null,
        challenge,
        redirectUri: options.redirectUri ?? partnerRedirectUri,
      },
      options.now ?? Date.now(),
      defer,
    ),
  );
  if (code === undefined) throw new Error('the consent was already decided');
  return { code, verifier, grantId, app: toApp, store };
}

/** A response of the token endpoint. */
export interface TokenEndpointResponse {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tokens or an error; tests read both
  body: any;
}

type Form = Record<string, string | undefined>;

/** Posts a form to the token endpoint; a test can choose the time and replace bindings. */
export async function postToken(
  form: Form,
  options: { now?: number; bindings?: Partial<Env> } = {},
): Promise<TokenEndpointResponse> {
  const body = new URLSearchParams(
    Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined),
  );
  const request = new Request('https://api.test/oauth/token', { method: 'POST', body });
  const bindings = { ...env, ...options.bindings };
  const response = await runWithDeferred((defer) =>
    handleTokenRequest(bindings, request, options.now ?? Date.now(), defer),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Returns the form that redeems a code. */
export const redemptionForm = ({ code, verifier, app }: ApprovedCode): Form => ({
  grant_type: 'authorization_code',
  client_id: app.client_id,
  redirect_uri: partnerRedirectUri,
  code,
  code_verifier: verifier,
});

/** Returns the form that refreshes tokens. */
export const refreshForm = ({ client_id }: App, refresh_token: string): Form => ({
  grant_type: 'refresh_token',
  client_id,
  refresh_token,
});

/** Posts a form to the revocation endpoint. */
export async function postRevocation(form: Record<string, string>): Promise<TokenEndpointResponse> {
  const body = new URLSearchParams(form);
  const response = await exports.default.fetch('https://api.test/oauth/revoke', {
    method: 'POST',
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** An app with tokens for a store. */
export interface ConnectedTestApp extends ApprovedCode {
  tokens: TokenResponse;
  headers: Record<string, string>;
  /** Calls an operation of the store with the bearer token. */
  api: ReturnType<typeof createApiClient>;
}

/** Connects an app to a store through consent and redemption. */
export async function connectApp(
  store: TestStore,
  options: Parameters<typeof createTestApp>[0] & {
    app?: App;
    now?: number;
    shard?: number;
    resource?: 'mcp';
  } = {},
): Promise<ConnectedTestApp> {
  const toApp = options.app ?? (await createTestApp(options));
  const approved = await approveConsent(store, toApp, options);
  const { status, body } = await postToken(redemptionForm(approved), options);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const headers = bearerHeaders(toApp, body.access_token);
  return { ...approved, tokens: body, headers, api: createApiClient(store.alias, headers) };
}

/**
 * Returns the headers of an app whose token has other claims, as if its grant or its expiry were
 * another.
 */
export async function withClaims(
  { app, tokens }: ConnectedTestApp,
  changed: Partial<AccessClaims>,
): Promise<Record<string, string>> {
  const { tokenKeys } = settingsOf(env);
  const claims = await verifyAccessToken(tokenKeys, tokens.access_token, Date.now());
  if (!claims) throw new Error('the token has expired');
  return bearerHeaders(app, await mintAccessToken(tokenKeys, { ...claims, ...changed }));
}

/** Returns the headers of a call with a bearer token. */
export const bearerHeaders = ({ client_id }: App, token: string) => ({
  Authorization: `Bearer ${token}`,
  'X-Partner-Client-ID': client_id,
});

/** Runs work and waits for the promises that it defers past the response. */
async function runWithDeferred<T>(
  run: (defer: (work: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const deferred: Promise<unknown>[] = [];
  const result = await run((work) => void deferred.push(work));
  await Promise.all(deferred);
  return result;
}
