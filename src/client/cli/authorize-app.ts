import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SavedTokens } from './stored-credentials.ts';

interface AuthorizationRequest {
  /** Origin of the service. */
  origin: string;
  /** The app; without one, this program registers itself as an assistant. */
  clientId: string | undefined;
  /** The resource of the tokens, if not the API (RFC 8707). */
  resource?: string | undefined;
  /** All scopes of the app without it. */
  scope: string | undefined;
  /** Called with the URL at which the merchant agrees. */
  show: (url: string) => void;
  signal: AbortSignal;
}

/** The members of the server's metadata that are used (RFC 8414, section 2). */
interface ServerMetadata {
  issuer: string;
  authorization_endpoint: string;
  token_endpoint: string;
  revocation_endpoint: string;
  registration_endpoint: string;
}

interface TokenAnswer {
  access_token: string;
  refresh_token: string;
  expires_in: number;
  /** Alias of the store that the merchant chose. */
  merchant: string;
}

/** The time within which the merchant must decide. */
const patienceMs = 300_000;

/**
 * Gets tokens for an app on this machine (RFC 8252). The browser comes back to a port of the
 * loopback interface, and PKCE and `state` prove that the answer belongs to this request.
 */
export async function authorize(
  request: AuthorizationRequest,
): Promise<{ store: string; clientId: string; tokens: SavedTokens }> {
  const metadata = await readMetadata(request.origin);
  const clientId = request.clientId ?? (await register(metadata));
  const resource = request.resource !== undefined && { resource: request.resource };
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    const redirectUri = `http://127.0.0.1:${port}/callback`;
    const answer = awaitCallback(
      server,
      AbortSignal.any([request.signal, AbortSignal.timeout(patienceMs)]),
    );
    request.show(
      `${metadata.authorization_endpoint}?${new URLSearchParams({
        response_type: 'code',
        client_id: clientId,
        redirect_uri: redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        state,
        ...(request.scope !== undefined && { scope: request.scope }),
        ...resource,
      }).toString()}`,
    );
    const code = codeOf(await answer, { state, issuer: metadata.issuer });
    const redeemed = await redeem(metadata, {
      grant_type: 'authorization_code',
      client_id: clientId,
      code,
      code_verifier: verifier,
      redirect_uri: redirectUri,
      ...resource,
    });
    return { ...redeemed, clientId };
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** Revokes the grant of a token (RFC 7009): the app is disconnected from the store. */
export async function revoke(
  origin: string,
  { clientId, tokens }: { clientId: string; tokens: SavedTokens },
) {
  const { revocation_endpoint } = await readMetadata(origin);
  const form = { client_id: clientId, token: tokens.refresh_token };
  const response = await fetch(revocation_endpoint, {
    method: 'POST',
    body: new URLSearchParams(form),
  });
  if (!response.ok) throw new Error(`The tokens were not revoked: ${response.status}. Try again.`);
}

async function readMetadata(origin: string): Promise<ServerMetadata> {
  const response = await fetch(`${origin}/.well-known/oauth-authorization-server`, {
    redirect: 'error',
  });
  if (!response.ok) throw new Error(`${origin} has no authorization server: ${response.status}.`);
  const metadata = (await response.json()) as ServerMetadata;
  const { issuer, authorization_endpoint, token_endpoint, revocation_endpoint } = metadata;
  const { registration_endpoint } = metadata;
  // The browser opens one, and the others get codes and tokens.
  for (const url of [
    issuer,
    authorization_endpoint,
    token_endpoint,
    revocation_endpoint,
    registration_endpoint,
  ]) {
    if (URL.parse(url)?.origin !== origin)
      throw new Error(`The authorization server of ${origin} names another address: ${url}.`);
  }
  return metadata;
}

/**
 * Registers this program (RFC 7591), and returns its client id. The port of the loopback interface
 * is free.
 */
async function register({ registration_endpoint }: ServerMetadata): Promise<string> {
  const response = await fetch(registration_endpoint, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({
      client_name: 'store-api',
      redirect_uris: ['http://127.0.0.1/callback'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const answer = (await response.json()) as { client_id: string; error_description?: string };
  if (response.ok) return answer.client_id;
  throw new Error(answer.error_description ?? `The registration failed: ${response.status}.`);
}

/** Waits for the browser. Answers it with a page that says to close the window. */
function awaitCallback(server: Server, signal: AbortSignal): Promise<URLSearchParams> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('No one agreed in the browser.')));
    server.on('request', (request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
      if (pathname !== '/callback') {
        response.writeHead(404).end();
        return;
      }
      const text = searchParams.has('code')
        ? 'Done. You can close this window.'
        : 'Access was not granted. You can close this window.';
      response
        .writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8' })
        .end(text, () => resolve(searchParams));
    });
  });
}

function codeOf(answer: URLSearchParams, expected: { state: string; issuer: string }): string {
  if (answer.get('state') !== expected.state || answer.get('iss') !== expected.issuer) {
    throw new Error('The answer in the browser belongs to another request. Try again.');
  }
  const code = answer.get('code');
  if (code !== null) return code;
  throw new Error(
    answer.get('error_description') ?? answer.get('error') ?? 'Access was not granted.',
  );
}

async function redeem({ token_endpoint }: ServerMetadata, form: Record<string, string>) {
  const response = await fetch(token_endpoint, { method: 'POST', body: new URLSearchParams(form) });
  const answer = (await response.json()) as TokenAnswer & {
    error?: string;
    error_description?: string;
  };
  if (!response.ok) throw new Error(answer.error_description ?? answer.error ?? 'No tokens.');
  const { access_token, refresh_token, expires_in, merchant } = answer;
  const expires_at = Date.now() + expires_in * 1_000;
  return { store: merchant, tokens: { access_token, refresh_token, expires_at } };
}
