import { authLifetimes } from '../base/auth-lifetimes.ts';
import { sha256 } from '../base/crypto/digest.ts';
import { settingsOf } from '../base/settings.ts';
import { systemDoer, type Doer } from '../data/audit/action.ts';
import { openDatabase, shardBinding } from '../data/core/open-database.ts';
import { evictApp, findApp } from '../data/directory/apps.ts';
import type { ManagedStore } from '../data/directory/sessions.ts';
import { addGrant } from '../data/grants/add-and-revoke.ts';
import { wakeNotices } from '../data/grants/app-notices.ts';
import { canRequestAuthorization, teamCheck } from './client.ts';
import { mintToken } from './token/grant-tokens.ts';
import { storeCodeRecord } from './vault.ts';

/** The consent of a merchant. */
interface Consent {
  /**
   * 16 random bytes as base64url, chosen when the page was rendered. A page creates at most one
   * grant.
   */
  grantId: string;
  clientId: string;
  userId: number;
  store: Pick<ManagedStore, 'id' | 'alias' | 'shard'>;
  /** Bits. */
  scopes: number;
  resource?: 'mcp' | undefined;
  /** Where an assistant comes from, as the page showed; null if that is a device. */
  host?: string | null;
  /** Whether an assistant asks. */
  isAgent?: boolean;
  challenge: string;
  redirectUri: string;
}

/**
 * Writes the grant of a consent and returns its authorization code, which expires after 60 seconds.
 * Returns `undefined` when the page was decided before, or when the app was withdrawn meanwhile;
 * throws `TooManyGrants` for an assistant. One batch in the database of the store, then one lookup
 * of the app. `defer` continues work after the response (`waitUntil`), `by` is who consents.
 */
export async function issueCode(
  env: Env,
  {
    grantId,
    clientId,
    userId,
    store,
    scopes,
    resource,
    host,
    isAgent = false,
    challenge,
    redirectUri,
  }: Consent,
  now: number,
  defer: (work: Promise<unknown>) => void,
  by: Doer = systemDoer,
): Promise<string | undefined> {
  const settings = settingsOf(env);
  // Whole seconds, because the code carries no fractions.
  const expiresAt = Math.floor((now + authLifetimes.authorizationCode) / 1000) * 1000;
  const claims = { grantId, generation: 0, expiresAt, shard: store.shard };
  const code = await mintToken(settings.tokenKeys, 'code', claims);
  const [current_hash, redirect_hash] = await Promise.all([sha256(code), sha256(redirectUri)]);
  defer(storeCodeRecord(env, code, { clientId, storeAlias: store.alias, userId, scopes }));
  const grant = {
    id: grantId,
    store_id: store.id,
    store_alias: store.alias,
    client_id: clientId,
    user_id: userId,
    scopes,
    resource,
    host,
    challenge,
    redirect_hash,
    code_expires_at: expiresAt,
    current_hash,
    created_at: now,
  };
  const shard = openDatabase(shardBinding(env, store.shard));
  const isStored = await addGrant(shard, grant, by, { isAgent });
  if (!isStored) return undefined;
  defer(wakeNotices(env, store.shard));
  // Reads the app after the grant exists: an earlier withdrawal shows here, a later one revokes the
  // grant.
  evictApp(clientId);
  const app = await findApp(openDatabase(env.DIRECTORY), clientId, now);
  const isAllowed = app && (await canRequestAuthorization(app, userId, teamCheck(env)));
  return isAllowed ? code : undefined;
}
