import { env, exports } from 'cloudflare:workers';
import { bitsOf, scopes, type Scope } from '../../src/access/scopes.ts';
import { randomBase64url } from '../../src/crypto/random.ts';
import { sha256 } from '../../src/crypto/sha256.ts';
import type { App } from '../../src/db/apps.ts';
import { openShard } from '../../src/db/open.ts';
import { apps, users } from '../../src/db/schema/directory.ts';
import { newClientId } from '../../src/oauth/client-id.ts';
import { issueCode } from '../../src/oauth/issue-code.ts';
import { tokenEndpoint } from '../../src/oauth/token-endpoint.ts';
import type { Tokens } from '../../src/oauth/tokens.ts';
import { settingsOf } from '../../src/settings.ts';
import { apiOf } from './api.ts';
import type { TestStore } from './store.ts';

export const callback = 'https://partner.test/callback';

/** An app of its own for one test: published, with all scopes unless the test says otherwise. */
export async function app(
  options: {
    scopes?: readonly Scope[];
    state?: App['state'];
    redirectUris?: string[];
    ownerId?: number;
  } = {},
): Promise<App> {
  const directory = openShard(env.DIRECTORY);
  const now = Date.now();
  const stamps = { created_at: now, updated_at: now };
  const clientId = await newClientId(settingsOf(env));
  const email = `${crypto.randomUUID()}@partner.test`;
  const ownerId =
    options.ownerId ??
    (
      await directory
        .insert(users)
        .values({ email, name: 'Test Partner', ...stamps })
        .returning()
    )[0]!.id;
  const [made] = await directory
    .insert(apps)
    .values({
      client_id: clientId,
      owner_id: ownerId,
      name: 'Test App',
      publisher: 'Test Partner',
      redirect_uris: options.redirectUris ?? [callback],
      scopes: bitsOf(new Set(options.scopes ?? scopes)),
      state: options.state ?? 'published',
      ...stamps,
    })
    .returning();
  return made!;
}

/** A code that a merchant approved, and what its app needs to redeem it. */
export interface Approved {
  code: string;
  verifier: string;
  grantId: string;
  app: App;
  store: TestStore;
}

/** What the consent page does when a merchant approves. */
export async function approve(
  store: TestStore,
  to: App,
  options: { now?: number; shard?: number; redirectUri?: string; verifier?: string } = {},
): Promise<Approved> {
  const verifier = options.verifier ?? randomBase64url(32);
  const grantId = randomBase64url(16);
  const challenge = await sha256(verifier);
  const issued = await deferring((defer) =>
    issueCode(
      env,
      {
        grantId,
        clientId: to.client_id,
        userId: store.userId,
        store: { id: store.id, alias: store.alias, shard: options.shard ?? 0 },
        scopes: to.scopes,
        challenge,
        redirectUri: options.redirectUri ?? callback,
      },
      options.now ?? Date.now(),
      defer,
    ),
  );
  if (issued === 'already decided') throw new Error(issued);
  return { code: issued.code, verifier, grantId, app: to, store };
}

/** An answer of the token endpoint. */
export interface TokenAnswer {
  status: number;
  headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- tokens or an error; tests look into both
  body: any;
}

type Form = Record<string, string | undefined>;

/** Posts a form to the token endpoint at a moment of the test's choice, with bindings of its choice. */
export async function post(
  form: Form,
  options: { now?: number; bindings?: Partial<Env> } = {},
): Promise<TokenAnswer> {
  const body = new URLSearchParams(
    Object.entries(form).filter((field): field is [string, string] => field[1] !== undefined),
  );
  const request = new Request('https://api.test/oauth/token', { method: 'POST', body });
  const given = { ...env, ...options.bindings };
  const response = await deferring((defer) =>
    tokenEndpoint(given, request, options.now ?? Date.now(), defer),
  );
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The form that redeems a code. */
export const redemption = ({ code, verifier, app }: Approved): Form => ({
  grant_type: 'authorization_code',
  client_id: app.client_id,
  redirect_uri: callback,
  code,
  code_verifier: verifier,
});

/** The form that refreshes. */
export const refreshment = ({ client_id }: App, refresh_token: string): Form => ({
  grant_type: 'refresh_token',
  client_id,
  refresh_token,
});

/** Posts a form to the revocation endpoint. */
export async function revoke(form: Record<string, string>): Promise<TokenAnswer> {
  const body = new URLSearchParams(form);
  const response = await exports.default.fetch('https://api.test/oauth/revoke', {
    method: 'POST',
    body,
  });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** An app with tokens for a store. */
export interface Connected extends Approved {
  tokens: Tokens;
  headers: Record<string, string>;
  /** Calls a row of the store with the bearer token. */
  api: ReturnType<typeof apiOf>;
}

/** Connects an app with a store: consent and redemption as they really are. */
export async function connect(
  store: TestStore,
  options: Parameters<typeof app>[0] & { app?: App; now?: number; shard?: number } = {},
): Promise<Connected> {
  const to = options.app ?? (await app(options));
  const approved = await approve(store, to, options);
  const { status, body } = await post(redemption(approved), options);
  if (status !== 200) throw new Error(JSON.stringify(body));
  const headers = bearer(to, body.access_token);
  return { ...approved, tokens: body, headers, api: apiOf(store.alias, headers) };
}

/** The headers of a call with a bearer token. */
export const bearer = ({ client_id }: App, token: string) => ({
  Authorization: `Bearer ${token}`,
  'X-Partner-Client-ID': client_id,
});

/** Runs work and waits for what it left for after its answer. */
export async function deferring<T>(
  run: (defer: (work: Promise<unknown>) => void) => Promise<T>,
): Promise<T> {
  const left: Promise<unknown>[] = [];
  const done = await run((work) => void left.push(work));
  await Promise.all(left);
  return done;
}
