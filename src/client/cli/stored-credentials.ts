import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Tokens as the client keeps them; `expires_at` is in epoch milliseconds. */
export interface SavedTokens {
  access_token: string;
  refresh_token: string;
  expires_at: number;
}

/**
 * The stored result of `login` for one service: the store, and either an API key or the tokens of
 * an app.
 */
export type SavedLogin = { store: string } & (
  | { apiKey: { token: string; secret: string } }
  | { oauth: { clientId: string; tokens: SavedTokens } }
);

type Environment = Readonly<Record<string, string | undefined>>;

/** Path of the file with the logins, one per service and profile. Only its owner may read it. */
export const credentialsPath = (environment: Environment): string =>
  join(environment.XDG_CONFIG_HOME || join(homedir(), '.config'), 'store-api', 'credentials.json');

function readAll(path: string): Record<string, SavedLogin> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, SavedLogin>;
  } catch {
    // Missing or damaged: a new login writes it again.
    return {};
  }
}

/** Replaces the file at once, so that a process that ends meanwhile leaves the old one. */
function writeAll(path: string, logins: Record<string, SavedLogin>) {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const next = `${path}.${process.pid}`;
  writeFileSync(next, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600 });
  renameSync(next, path);
}

/**
 * The key of a login in the file: the address that its credentials open, after the name of its
 * profile.
 */
export const loginKey = (address: string, profile: string | undefined): string =>
  profile === undefined ? address : `${profile} ${address}`;

/** Returns the service of a profile. */
export function serviceOfProfile(environment: Environment, profile: string): string | undefined {
  const keys = Object.keys(readAll(credentialsPath(environment)));
  const address = keys.find((key) => key.startsWith(loginKey('', profile)));
  return address && new URL(address.slice(profile.length + 1)).origin;
}

export const findLogin = (environment: Environment, key: string): SavedLogin | undefined =>
  readAll(credentialsPath(environment))[key];

export function saveLogin(environment: Environment, key: string, login: SavedLogin) {
  const path = credentialsPath(environment);
  writeAll(path, { ...readAll(path), [key]: login });
}

/** Removes a login. Returns whether there was one. */
export function removeLogin(environment: Environment, key: string): boolean {
  const path = credentialsPath(environment);
  const { [key]: removed, ...others } = readAll(path);
  if (Object.keys(others).length > 0) writeAll(path, others);
  else rmSync(path, { force: true });
  return removed !== undefined;
}
