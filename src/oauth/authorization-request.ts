import { exceedsBytes } from '../base/codecs/fields/normalize-text.ts';
import { parseSentQuery } from '../base/codecs/sent-query.ts';
import { isAgent, type App } from '../data/directory/apps.ts';
import { parseScopeBits, scopesFromBits } from '../data/grants/scopes.ts';
import { mcpPaths, mcpResource } from '../http/access/access-token.ts';
import { canRequestAuthorization, isOwnApp, type TeamCheck } from './client.ts';
import { RequestParameters } from './endpoint-form.ts';
import { type AuthorizationErrorReason, oauthErrors } from './oauth-errors.ts';
import { hasRedirectUri } from './redirect-uris.ts';
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

/**
 * A valid request, a redirect that reports an error to the app, or a reason to show an error page
 * of this service.
 */
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

/**
 * The parameters that must not be repeated (RFC 6749, 7636), besides `client_id` and
 * `redirect_uri`.
 */
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
 * Checks the query of `/oauth/authorize`. The client and its redirect URI come first: until both
 * are valid, no error may be sent to that URI. `findApp` must not return disabled apps. `userId`
 * decides who may use a draft app, and who may try an app with the redirect URI of the partner
 * panel.
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
  const { pairs, malformed } = parseSentQuery(url.search.slice(1));
  const sent = new RequestParameters(pairs);

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
  const redirectError = (description: string, error: RedirectedError = 'invalid_request') => ({
    redirect: errorRedirect({ redirectUri, state }, error, context.issuer, description),
  });
  const repeated = sent.findRepeated(authorizationParameters);
  if (repeated !== undefined) return redirectError(`${repeated} is sent more than once.`);
  // A malformed state would come back as another one.
  const undecoded = authorizationParameters.find((name) => malformed.includes(name));
  if (undecoded !== undefined) return redirectError(`${undecoded} cannot be decoded.`);
  const broken = parameterRules.find(([name, isValid]) => !isValid(sent.get(name)));
  if (broken) return redirectError(broken[2]);
  const challenge = sent.get('code_challenge') ?? '';

  const scope = sent.get('scope');
  const scopes = scope === undefined ? app.scopes : parseScopeBits(scope, app.scopes);
  if (scopes === undefined) {
    const known = [...scopesFromBits(app.scopes)].join(' ');
    return redirectError(`scope may name these scopes of the app only: ${known}.`, 'invalid_scope');
  }
  const target = readTarget(sent.get('resource'), context.issuer);
  if ('invalid' in target) return redirectError(oauthErrors.target_invalid[2], 'invalid_target');
  // An agent gets tokens for the tools only, also if it is too old to name them.
  const resource = isAgent(app) ? 'mcp' : target.resource;
  return { request: { app, redirectUri, isTrial, state, challenge, scopes, resource } };
}

/** Returns a parameter that must be sent once. */
function readOnce(sent: RequestParameters, parameter: 'client_id' | 'redirect_uri') {
  if (sent.findRepeated([parameter])) return { rejected: 'parameter_repeated', parameter } as const;
  return sent.get(parameter) ?? ({ rejected: 'parameter_missing', parameter } as const);
}

/**
 * Rules of the parameters of an app, in the order in which they are checked, each with its
 * `error_description`.
 */
const parameterRules: readonly [
  name: string,
  isValid: (value: string | undefined) => boolean,
  description: string,
][] = [
  ['response_type', (value) => value === 'code', 'response_type must be code.'],
  ['response_mode', (value) => (value ?? 'query') === 'query', 'response_mode must be query.'],
  [
    'code_challenge',
    // The base64url of a SHA-256 digest always has 43 characters (RFC 7636, section 4.2).
    (value) => value !== undefined && /^[A-Za-z0-9_-]{43}$/.test(value),
    'code_challenge must be the SHA-256 of code_verifier in base64url: 43 characters.',
  ],
  ['code_challenge_method', (value) => value === 'S256', 'code_challenge_method must be S256.'],
  [
    'state',
    // It is optional, because PKCE already protects against forged callbacks.
    (value) => value === undefined || !exceedsBytes(value, maxStateBytes),
    `state must have at most ${maxStateBytes} bytes.`,
  ],
];

type RedirectedError = 'invalid_request' | 'invalid_scope' | 'invalid_target' | 'access_denied';

/**
 * Returns the URL that reports an error to the app (RFC 6749, section 4.1.2.1), with `iss` (RFC
 * 9207).
 */
export const errorRedirect = (
  request: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  error: RedirectedError,
  issuer: string,
  description: string,
) =>
  buildRedirectUrl(request, {
    error,
    error_description: description,
    state: request.state,
    iss: issuer,
  });

/**
 * Appends parameters to a redirect URI, whose own query stays as it is (RFC 6749, section 4.1.2).
 * Parameters that are `undefined` are omitted.
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
 * Reads a resource indicator (RFC 8707). A request without one asks for the API, or for what its
 * grant has. Any other resource than the tools for assistants is invalid: the API has none, since
 * apps never named it. The address of the tools may have a query, a slash at the end, and any
 * spelling of the origin, but no fragment (section 2).
 */
export function readTarget(
  sent: string | undefined,
  issuer: string,
): { resource: 'mcp' | undefined } | { invalid: true } {
  if (sent === undefined) return { resource: undefined };
  const url = sent.includes('#') ? null : URL.parse(sent);
  if (url) url.search = '';
  const isTools = mcpPaths.some((path) => url?.href === new URL(mcpResource(issuer, path)).href);
  return isTools ? { resource: 'mcp' } : { invalid: true };
}
