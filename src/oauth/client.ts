import { fromBase64, toBase64url } from '../base/crypto/base64.ts';
import { computeMac, verifyMac } from '../base/crypto/hmac.ts';
import { deriveKey } from '../base/crypto/keys.ts';
import { randomBytes } from '../base/crypto/random.ts';
import { settingsOf, type Settings } from '../base/settings.ts';
import { openDatabase } from '../data/core/open-database.ts';
import { findApp, type App } from '../data/directory/apps.ts';
import { isInTeam } from '../data/directory/partner-teams.ts';
import { assertNoFlood, enforceNetworkLimit } from '../http/access/rate-limit.ts';
import { isDocumentId } from './agents/client-document.ts';
import type { RequestParameters } from './endpoint-form.ts';
import { OAuthError } from './oauth-errors.ts';

/**
 * Returns the app that sent a form; throws `client_invalid`. Apps are public clients: Basic
 * credentials are rejected, and a `client_secret`, which some libraries always send, is ignored.
 */
export async function authenticateClient(
  env: Env,
  request: Request,
  form: RequestParameters,
  now: number,
): Promise<App> {
  if (/^Basic\b/i.test(request.headers.get('Authorization') ?? '')) {
    const headers = { 'WWW-Authenticate': 'Basic realm="oauth"' };
    const description =
      'Authorization: Basic is not taken, since apps have no secret: send client_id in the form.';
    throw new OAuthError('client_invalid', { headers, description });
  }
  const clientId = form.get('client_id');
  if (clientId === undefined) {
    throw new OAuthError('client_invalid', { description: 'client_id is missing.' });
  }
  const settings = settingsOf(env);
  const isDocument = isDocumentId(clientId, settings);
  const limits = { env, limits: settings.limits, now };
  const address = request.headers.get('CF-Connecting-IP');
  // The address of a document has no check value, so invented ones are counted instead.
  if (isDocument) assertNoFlood(limits, 'failedAuth', address);
  const app = await findActiveApp(env, clientId, now);
  if (!app && isDocument) await enforceNetworkLimit(limits, 'failedAuth', address);
  if (!app) throw new OAuthError('client_invalid');
  return app;
}

/**
 * Returns the app of a client id unless it is unknown or disabled. An invented id costs no lookup,
 * unless it is an address: then it is known once a user has consented to it.
 */
export async function findActiveApp(
  env: Env,
  clientId: string | undefined,
  now: number,
): Promise<App | undefined> {
  const settings = settingsOf(env);
  const isPossible =
    clientId !== undefined &&
    (isDocumentId(clientId, settings) || (await isPossibleClientId(settings, clientId)));
  if (!isPossible) return undefined;
  const app = await findApp(openDatabase(env.DIRECTORY), clientId, now);
  return app?.state === 'disabled' ? undefined : app;
}

/** Whether a user is in the team of a partner (`isInTeam`). */
export type TeamCheck = (partnerId: number, userId: number) => Promise<boolean>;

/** Looks teams up in the directory: one round trip, none for the partner. */
export const teamCheck =
  (env: Env): TeamCheck =>
  (partnerId, userId) =>
    isInTeam(openDatabase(env.DIRECTORY), partnerId, userId);

/** Whether a user is the partner of an app or in the partner's team. */
export const isOwnApp = async (app: App, userId: number | undefined, isOfTeam: TeamCheck) =>
  userId !== undefined &&
  app.owner_id !== null &&
  (app.owner_id === userId || (await isOfTeam(app.owner_id, userId)));

/**
 * Whether an app may ask a user for consent. A draft may only ask its partner and the partner's
 * team.
 */
export const canRequestAuthorization = async (
  app: App,
  userId: number | undefined,
  isOfTeam: TeamCheck,
): Promise<boolean> =>
  app.state === 'published' || (app.state === 'draft' && (await isOwnApp(app, userId, isOfTeam)));

const clientIdRandomBytes = 12;
const clientIdTagBytes = 6;

type ClientIdSettings = Pick<Settings, 'checkKey' | 'formerCheckKeys' | 'fixedClientIds'>;

/**
 * Creates a new client id: 24 characters, of which the last eight are a MAC. Client ids are
 * permanent, so those of former roots stay good. It protects no secret: it only spares lookups of
 * invented ids.
 */
export async function generateClientId({
  checkKey,
}: Pick<ClientIdSettings, 'checkKey'>): Promise<string> {
  const random = randomBytes(clientIdRandomBytes);
  const tag = await computeMac(await clientIdKey(checkKey), random, clientIdTagBytes);
  return toBase64url(random) + toBase64url(tag);
}

/**
 * Whether we could have issued this client id. Does no I/O. The demo's client ids are named in the
 * settings.
 */
export async function isPossibleClientId(
  { checkKey, formerCheckKeys, fixedClientIds }: ClientIdSettings,
  clientId: string,
): Promise<boolean> {
  if (fixedClientIds.has(clientId)) return true;
  if (!/^[A-Za-z0-9_-]{24}$/.test(clientId)) return false;
  const bytes = fromBase64(clientId);
  const random = bytes.subarray(0, clientIdRandomBytes);
  const tag = bytes.subarray(clientIdRandomBytes);
  for (const root of [checkKey, ...formerCheckKeys]) {
    if (await verifyMac(await clientIdKey(root), random, tag)) return true;
  }
  return false;
}

const clientIdKey = (root: string) => deriveKey(root, 'client-id/v1', 'sign');
