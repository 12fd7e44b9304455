import type { ClientConfig } from '../core/public.ts';
import { client, type Client } from '../index.ts';
import { connectionOptions, type CommandInput } from './command.ts';
import { keepTokens, resolveConnection, type Connection } from './connection.ts';
import type { CallApi } from './store-steps.ts';
import type { SavedTokens } from './stored-credentials.ts';
import type { Terminal } from './terminal.ts';

/** Everything that the commands need to call the API. */
export interface Session {
  origin: string;
  store: string;
  /** The app that the user signed in with; `undefined` for an API key. */
  clientId: string | undefined;
  shop: Client;
  /** Calls an operation of the store; resolves with the body as it was sent. */
  call: CallApi;
}

/** Opens the store that the options, the variables or a login name. */
export function openSession(input: CommandInput): Session {
  const connection = resolveConnection(connectionOptions(input), input.environment, input.terminal);
  const { origin, login } = connection;
  const shop = client({ ...configOf(input, connection), fetch: sayingWarnings(input.terminal) });
  const call: CallApi = (methodAndPath, body, contentType) => {
    const [method = '', path = ''] = methodAndPath.split(' ');
    return shop.request(method, path, { body, contentType });
  };
  const clientId = 'oauth' in login ? login.oauth.clientId : undefined;
  return { origin, store: login.store, clientId, shop, call };
}

/** How a command reaches its store: refreshed tokens are kept, and Ctrl-C ends every call. */
export function configOf(
  { environment, signal }: Pick<CommandInput, 'environment' | 'signal'>,
  connection: Connection,
): ClientConfig {
  const { origin, login } = connection;
  const common = { store: login.store, baseUrl: origin, retries: 2, signal };
  if ('apiKey' in login) return { ...common, apiKey: login.apiKey };
  const onTokens = (tokens: SavedTokens) => keepTokens(environment, connection, tokens);
  return { ...common, oauth: { ...login.oauth, onTokens } };
}

/** Sends requests, and says each warning of the service once: a list has it on every page. */
function sayingWarnings(terminal: Terminal): typeof fetch {
  const said = new Set<string>();
  return async (input, init) => {
    const response = await fetch(input, init);
    const warning = response.headers.get('X-Warning');
    if (warning !== null && !said.has(warning)) terminal.say(`Warning: ${warning}`);
    if (warning !== null) said.add(warning);
    return response;
  };
}
