import { exceedsBytes } from '../base/codecs/fields/normalize-text.ts';
import { isAgent, type App } from '../data/directory/apps.ts';
import { parseScopeBits } from '../data/grants/scopes.ts';
import { mcpResource } from '../http/access/challenge.ts';
import { canRequestAuthorization, isOwnApp, type TeamCheck } from './client.ts';
import { errorDescriptions, type AuthorizationErrorReason } from './oauth-errors.ts';
import { RequestParameters } from './read-token-form.ts';
import { hasRedirectUri, hostsOf } from './redirect-uris.ts';
import { trialRedirectUri } from './server-metadata.ts';

/** A valid authorization request (specification, "Authentication", step 2). */
export interface AuthorizationRequest {
  app: App;
  /** As it was sent, with the port of a native app. */
  redirectUri: string;
  /** The partner tries the app from the partner panel: only with a test store of theirs. */
  isTrial: boolean;
  state: string | undefined;
  /** PKCE, S256. */
  challenge: string;
  /** Bits (`scopesToBits`); all scopes of the app when the request names none. */
  scopes: number;
  /** The resource that the tokens shall open, if that is not the API. */
  resource: 'mcp' | undefined;
}

/** A valid request, a redirect that reports an error to the app, or a reason to show an error page of this service. */
type CheckedRequest = { request: AuthorizationRequest } | { redirect: string } | RefusedRequest;

/** `sent` is the value that is wrong, if one was sent. `app` asks, if that is known. */
export interface RefusedRequest {
  rejected: AuthorizationErrorReason;
  parameter?: 'client_id' | 'redirect_uri';
  sent?: string;
  app?: App;
}

const maxUrlLength = 8_192;
const maxStateBytes = 2_048;

/** The parameters that must not be repeated (RFC 6749, 7636), besides `client_id` and `redirect_uri`. */
const authorizationParameters = [
  'response_type',
  'response_mode',
  'code_challenge',
  'code_challenge_method',
  'scope',
  'state',
  'resource',
];

/**
 * Checks the query of `/oauth/authorize`. The client and its redirect URI come first: until both are valid, no error
 * may be sent to that URI. `findApp` must not return disabled apps. `userId` decides who may use a draft app, and who may
 * try an app with the redirect URI of the partner panel.
 */
export async function checkAuthorizationRequest(
  url: URL,
  context: {
    findApp: (clientId: string) => Promise<App | undefined>;
    issuer: string;
    userId: number | undefined;
    isOfTeam: TeamCheck;
  },
): Promise<CheckedRequest> {
  if (url.href.length > maxUrlLength) return { rejected: 'url_too_long' };
  const sent = new RequestParameters(url.searchParams);

  const clientId = readOnce(sent, 'client_id');
  if (typeof clientId !== 'string') return clientId;
  const app = await context.findApp(clientId);
  const unknownClient = {
    rejected: 'client_unknown',
    parameter: 'client_id',
    sent: clientId,
  } as const;
  if (!app) return unknownClient;
  const { userId, isOfTeam } = context;
  if (!(await canRequestAuthorization(app, userId, isOfTeam))) {
    return app.state === 'draft' ? { rejected: 'draft_of_another' } : unknownClient;
  }

  const redirectUri = readOnce(sent, 'redirect_uri');
  if (typeof redirectUri !== 'string') return { ...redirectUri, app };
  const isTrial = redirectUri === trialRedirectUri(context.issuer);
  const isKnown = isTrial
    ? await isOwnApp(app, userId, isOfTeam)
    : hasRedirectUri(app, redirectUri);
  if (!isKnown) {
    return { rejected: 'redirect_uri_unknown', parameter: 'redirect_uri', sent: redirectUri, app };
  }

  const state = sent.findRepeated(['state']) ? undefined : sent.get('state');
  const redirectError = (error: 'invalid_request' | 'invalid_scope' | 'invalid_target') => ({
    redirect: errorRedirect({ redirectUri, state }, error, context.issuer),
  });
  const challenge = sent.get('code_challenge');
  if (sent.findRepeated(authorizationParameters)) return redirectError('invalid_request');
  if (sent.get('response_type') !== 'code') return redirectError('invalid_request');
  if ((sent.get('response_mode') ?? 'query') !== 'query') return redirectError('invalid_request');
  if (!isS256Challenge(challenge)) return redirectError('invalid_request');
  if (sent.get('code_challenge_method') !== 'S256') return redirectError('invalid_request');
  if (!isStateWithinLimit(state)) return redirectError('invalid_request');

  const scope = sent.get('scope');
  const scopes = scope === undefined ? app.scopes : parseScopeBits(scope, app.scopes);
  if (scopes === undefined) return redirectError('invalid_scope');
  const target = readTarget(sent.get('resource'), context.issuer);
  if ('invalid' in target) return redirectError('invalid_target');
  // An agent gets tokens for the tools only, also if it is too old to name them.
  const resource = isAgent(app) ? 'mcp' : target.resource;
  return { request: { app, redirectUri, isTrial, state, challenge, scopes, resource } };
}

/** Returns a parameter that must be sent once. */
function readOnce(sent: RequestParameters, parameter: 'client_id' | 'redirect_uri') {
  if (sent.findRepeated([parameter])) return { rejected: 'parameter_repeated', parameter } as const;
  return sent.get(parameter) ?? ({ rejected: 'parameter_missing', parameter } as const);
}

/** The hosts that stand for an agent: where it comes from, and where the answer goes. */
export const hostsOfRequest = ({
  app: { host },
  redirectUri,
}: Pick<AuthorizationRequest, 'app' | 'redirectUri'>): string[] => [
  ...(host === null ? [] : [host]),
  ...hostsOf([redirectUri]),
];

/** Whether a challenge is the base64url of a SHA-256 digest, always 43 characters (RFC 7636, section 4.2). */
const isS256Challenge = (challenge: string | undefined): challenge is string =>
  challenge !== undefined && /^[A-Za-z0-9_-]{43}$/.test(challenge);

/** `state` is optional, because PKCE already protects against forged callbacks. */
const isStateWithinLimit = (state: string | undefined) =>
  state === undefined || !exceedsBytes(state, maxStateBytes);

/** Returns the URL that reports an error to the app (RFC 6749, section 4.1.2.1), with `iss` (RFC 9207). */
export const errorRedirect = (
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: 'invalid_request' | 'invalid_scope' | 'invalid_target' | 'access_denied',
  issuer: string,
) =>
  buildRedirectUrl(request, {
    error,
    error_description: errorDescriptions[error],
    state: request.state,
    iss: issuer,
  });

/**
 * Appends parameters to a redirect URI, whose own query stays as it is (RFC 6749, section 4.1.2). Parameters that are
 * `undefined` are omitted.
 */
export function buildRedirectUrl(
  { redirectUri }: { redirectUri: string },
  params: Record<string, string | undefined>,
): string {
  const present = Object.entries(params).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${/[?&]$/.test(redirectUri) ? '' : separator}${new URLSearchParams(present).toString()}`;
}

/**
 * Reads a resource indicator (RFC 8707). A request without one asks for the API, or for what its grant has. Any other
 * resource than the tools for assistants is invalid: the API has none, since apps never named it.
 */
export function readTarget(
  sent: string | undefined,
  issuer: string,
): { resource: 'mcp' | undefined } | { invalid: true } {
  if (sent === undefined) return { resource: undefined };
  return sent === mcpResource(issuer) ? { resource: 'mcp' } : { invalid: true };
}
