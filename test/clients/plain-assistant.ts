import { pkce } from '../support/node/oauth/link.ts';
import type { Keeper, StartSession } from './assistant.ts';

/** The refusal of a plain assistant that has no token yet. */
export class NoToken extends Error {}

const revision = '2025-06-18';

type Json = Record<string, string> & { authorization_servers?: string[] };

/**
 * An assistant without a library, as a script with curl is: it reads the challenge and asks for a
 * token by itself.
 */
export const startPlain: StartSession = (url, { authProvider, requestInit }, fetch) => {
  let server: Json = {};
  const readJson = async (address: string, init?: RequestInit) =>
    (await (await fetch(address, init)).json()) as Json;
  const post = (body: unknown): RequestInit => ({
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: '*/*' },
    body: JSON.stringify(body),
  });

  /** Follows a 401 to the link that a person opens. */
  async function authorize(keeper: Keeper, challenge: string) {
    const [, metadata = ''] = /resource_metadata="([^"]+)"/.exec(challenge) ?? [];
    const { authorization_servers: [issuer] = [], resource = '' } = await readJson(metadata);
    server = await readJson(`${issuer}/.well-known/oauth-authorization-server`);
    const { clientMetadataUrl: document, clientMetadata, redirectUrl } = keeper;
    if (document !== undefined && server.client_id_metadata_document_supported) {
      keeper.saveClientInformation({ client_id: document });
    }
    if (!keeper.clientInformation()) {
      const registered = await readJson(server.registration_endpoint ?? '', post(clientMetadata));
      keeper.saveClientInformation({ client_id: registered.client_id ?? '' });
    }
    const link = new URL(server.authorization_endpoint ?? '');
    link.search = new URLSearchParams({
      response_type: 'code',
      client_id: keeper.client?.client_id ?? '',
      redirect_uri: redirectUrl,
      code_challenge: pkce.challenge,
      code_challenge_method: 'S256',
      state: 'xyz',
      resource,
    }).toString();
    keeper.redirectToAuthorization(link);
  }

  async function ask<Result>(method: string, params: unknown): Promise<Result> {
    const request = post({ jsonrpc: '2.0', id: 1, method, params });
    const token = authProvider?.tokens()?.access_token;
    const headers = new Headers({
      ...(request.headers as Record<string, string>),
      ...(requestInit?.headers as Record<string, string>),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
    });
    const response = await fetch(url, { ...request, headers });
    if (response.status === 401 && authProvider && token === undefined) {
      await authorize(authProvider, response.headers.get('WWW-Authenticate') ?? '');
      throw new NoToken();
    }
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return ((await response.json()) as { result: Result }).result;
  }

  let agreed: string | undefined;
  return {
    connect: async () => {
      const params = {
        protocolVersion: revision,
        capabilities: {},
        clientInfo: { name: 'curl', version: '1' },
      };
      ({ protocolVersion: agreed } = await ask<{ protocolVersion: string }>('initialize', params));
    },
    finish: async ({ searchParams }) => {
      const body = new URLSearchParams({
        grant_type: 'authorization_code',
        code: searchParams.get('code') ?? '',
        client_id: authProvider?.client?.client_id ?? '',
        code_verifier: pkce.verifier,
      });
      const tokens = await readJson(server.token_endpoint ?? '', { method: 'POST', body });
      authProvider?.saveTokens({ access_token: tokens.access_token ?? '', token_type: 'Bearer' });
    },
    revision: () => agreed,
    listTools: () => ask('tools/list', {}),
    call: (name, sent) => ask('tools/call', { name, arguments: sent }),
    close: async () => undefined,
  };
};
