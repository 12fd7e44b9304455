import {
  credentialsPath,
  findLogin,
  serviceOfProfile,
  loginKey,
  saveLogin,
  type SavedLogin,
} from './stored-credentials.ts';
import type { Terminal } from './terminal.ts';
import { UsageError } from './usage-error.ts';

export type EnvironmentVariables = Readonly<Record<string, string | undefined>>;

/** The options that every command takes. */
export interface ConnectionOptions {
  url?: string | undefined;
  store?: string | undefined;
  /** Name of a login beside others. */
  profile?: string | undefined;
}

/** A service, a store of it, and the credentials for it. */
export interface Connection {
  /** Origin of the service, such as `http://127.0.0.1:8787`. */
  origin: string;
  login: SavedLogin;
  /** The key under which the login is kept. */
  key: string;
}

/**
 * Where the tools for assistants are. Their tokens open nothing else, so they have a login of their
 * own.
 */
export const toolsPath = '/mcp';

const localOrigin = 'http://127.0.0.1:8787';

/** The public API key of the demo store of `npm start`. */
const demoLogin: SavedLogin = {
  store: 'demo',
  apiKey: { token: 'demo-user-token', secret: 'sk_demo_secret_key' },
};

/**
 * Returns the origin of the service: `--url`, else that of the profile, `STORE_API_URL`, or a
 * service on this machine.
 */
export function resolveOrigin(
  { url, profile }: ConnectionOptions,
  environment: EnvironmentVariables,
): string {
  if (profile !== undefined && !/^[\w-]+$/.test(profile)) {
    throw new UsageError('The name of a profile has letters, digits, - and _ only.');
  }
  const known = profile === undefined ? undefined : serviceOfProfile(environment, profile);
  return parseOrigin(url ?? known ?? (environment.STORE_API_URL || localOrigin));
}

/**
 * Finds the credentials: the variables, else the saved login, else the demo's key for a service on
 * this machine, which it reports. A profile has its login only. For tools, the login of assistants
 * comes first. Throws a `UsageError` that names the missing part.
 */
export function resolveConnection(
  options: ConnectionOptions,
  environment: EnvironmentVariables,
  terminal: Terminal,
  path: '' | typeof toolsPath = '',
): Connection {
  const origin = resolveOrigin(options, environment);
  const { profile } = options;
  const variables = profile === undefined ? environment : {};
  const sentStore = options.store ?? (variables.STORE_API_STORE || undefined);
  const apiKey = apiKeyIn(variables);
  if (apiKey) {
    if (sentStore === undefined) {
      throw new UsageError('Which store? Set STORE_API_STORE or add --store ALIAS.');
    }
    return { origin, login: { store: sentStore, apiKey }, key: origin };
  }
  for (const resource of new Set([origin + path, origin])) {
    const key = loginKey(resource, profile);
    const saved = findLogin(environment, key);
    // Tokens for the API do not open the tools.
    if (!saved || (resource !== origin + path && 'oauth' in saved)) continue;
    return { origin, login: withStore(saved, sentStore), key };
  }
  if (profile !== undefined) {
    throw new UsageError(
      `No credentials of ${profile} for ${origin + path}. Run store-api login${path && ' --mcp'} --profile ${profile}.`,
    );
  }
  if (!isLoopback(origin)) {
    throw new UsageError(
      `No credentials for ${origin + path}. Run store-api login${path && ' --mcp'}, or set STORE_API_TOKEN, STORE_API_SECRET and STORE_API_STORE.`,
    );
  }
  terminal.say(`Using the demo's API key at ${origin}.`);
  return { origin, login: withStore(demoLogin, sentStore), key: origin };
}

function apiKeyIn({ STORE_API_TOKEN: token, STORE_API_SECRET: secret }: EnvironmentVariables) {
  if (token && secret) return { token, secret };
  if (token)
    throw new UsageError('STORE_API_SECRET is missing. Set it together with STORE_API_TOKEN.');
  if (secret)
    throw new UsageError('STORE_API_TOKEN is missing. Set it together with STORE_API_SECRET.');
  return undefined;
}

/**
 * An API key may reach several stores; the tokens of an app reach the store that its merchant
 * chose.
 */
function withStore(login: SavedLogin, store: string | undefined): SavedLogin {
  if (store === undefined || store === login.store) return login;
  if ('oauth' in login) {
    throw new UsageError(`You are logged in to ${login.store}. Run store-api login for ${store}.`);
  }
  return { ...login, store };
}

/** Keeps refreshed tokens, in the file that they came from. */
export function keepTokens(
  environment: EnvironmentVariables,
  { key, login }: Connection,
  tokens: Extract<SavedLogin, { oauth: unknown }>['oauth']['tokens'],
) {
  if (!('oauth' in login)) throw new Error(`no tokens in ${credentialsPath(environment)}`);
  saveLogin(environment, key, { ...login, oauth: { ...login.oauth, tokens } });
}

/** Whether a host is this machine. */
const isLoopbackName = (host: string) => /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(host);

export const isLoopback = (origin: string) => isLoopbackName(new URL(origin).hostname);

/**
 * Returns the origin of a service. Throws a `UsageError` for what is no address, and for `http://`
 * to another machine: keys and tokens would travel in the clear.
 */
export function parseOrigin(sent: string): string {
  const parsed = URL.parse(sent);
  if (!parsed || !/^https?:$/.test(parsed.protocol)) {
    throw new UsageError(`${sent} is not a URL. Write it like https://api.example.com.`);
  }
  if (parsed.protocol !== 'https:' && !isLoopbackName(parsed.hostname)) {
    throw new UsageError(
      `${parsed.origin} would get keys in the clear. It must begin with https://.`,
    );
  }
  return parsed.origin;
}
