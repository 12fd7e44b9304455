import type { App } from '../db/apps.ts';
import { challengeIsADigest } from './checks/challenge-is-a-digest.ts';
import { clientMayAsk } from './checks/client-may-ask.ts';
import { redirectUriIsRegistered } from './checks/redirect-uri-is-registered.ts';
import { stateIsShort } from './checks/state-is-short.ts';
import { Parameters } from './parameters.ts';
import { redirectBack } from './redirect-back.ts';
import { descriptions, type AuthorizationRefusal } from './refusals.ts';
import { scopeBits } from './scope-text.ts';

/** What an app asks a merchant for, once every check has passed (specification, "Authentication", step 2). */
export interface AuthorizationRequest {
  app: App;
  /** As it was sent, with the port of a native app. */
  redirectUri: string;
  state: string | undefined;
  /** PKCE, S256. */
  challenge: string;
  /** Bits (`access/scopes`); everything the app may have when it names none. */
  scopes: number;
}

/** A request to show, an answer for the app, or (nobody to send back to) a page of our own. */
export type CheckedRequest =
  | { request: AuthorizationRequest }
  | { redirect: string }
  | { refused: AuthorizationRefusal };

const maxUrlLength = 8_192;

/** What RFC 6749, 7636 and their companions define for this endpoint, besides what names the app. */
const recognised = [
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
];

/**
 * Checks the query of `/oauth/authorize` in the order A1 to A8. `findApp` answers with apps that are not
 * disabled (`oauth/known-app`); `userId` is who is signed in, for draft apps.
 */
export async function checkAuthorizationRequest(
  url: URL,
  context: {
    findApp: (clientId: string) => Promise<App | undefined>;
    issuer: string;
    userId: number | undefined;
  },
): Promise<CheckedRequest> {
  if (url.href.length > maxUrlLength) return { refused: 'url is too long' };
  const sent = new Parameters(url.searchParams);

  const clientId = sent.repeated(['client_id']) ? undefined : sent.get('client_id');
  const app = clientId === undefined ? undefined : await context.findApp(clientId);
  if (!clientMayAsk(app, context.userId)) return { refused: 'client is wrong' };

  const redirectUri = sent.repeated(['redirect_uri']) ? undefined : sent.get('redirect_uri');
  if (redirectUri === undefined || !redirectUriIsRegistered(app, redirectUri)) {
    return { refused: 'redirect_uri is wrong' };
  }

  const state = sent.repeated(['state']) ? undefined : sent.get('state');
  const back = (error: 'invalid_request' | 'invalid_scope') => ({
    redirect: errorRedirect({ redirectUri, state }, error, context.issuer),
  });
  const challenge = sent.get('code_challenge');
  if (sent.repeated(recognised)) return back('invalid_request');
  if (sent.get('response_type') !== 'code') return back('invalid_request');
  if ((sent.get('response_mode') ?? 'query') !== 'query') return back('invalid_request');
  if (!challengeIsADigest(challenge)) return back('invalid_request');
  if (sent.get('code_challenge_method') !== 'S256') return back('invalid_request');
  if (!stateIsShort(state)) return back('invalid_request');

  const scope = sent.get('scope');
  const scopes = scope === undefined ? app.scopes : scopeBits(scope, app.scopes);
  if (scopes === undefined) return back('invalid_scope');
  return { request: { app, redirectUri, state, challenge, scopes } };
}

/** Sends an app back with an error (RFC 6749, section 4.1.2.1), its state and `iss` (RFC 9207). */
export const errorRedirect = (
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: 'invalid_request' | 'invalid_scope' | 'access_denied',
  issuer: string,
) =>
  redirectBack(request, {
    error,
    error_description: descriptions[error],
    state: request.state,
    iss: issuer,
  });
