import { client, type Client } from '../index.ts';
import { textOption, type CommandInput } from './command.ts';
import { keepTokens, resolveConnection } from './connection.ts';
import type { CallApi } from './store-steps.ts';

/** Everything that the commands need to call the API. */
export interface Session {
  origin: string;
  store: string;
  shop: Client;
  /** Calls an operation of the store; resolves with the body as it was sent. */
  call: CallApi;
}

/** Opens the store that the options, the variables or a login name. */
export function openSession(input: CommandInput): Session {
  const { environment, terminal, signal } = input;
  const options = { url: textOption(input, 'url'), store: textOption(input, 'store') };
  const connection = resolveConnection(options, environment, terminal);
  const { origin, login } = connection;
  const { store } = login;
  const shop = client({
    store,
    baseUrl: origin,
    retries: 2,
    signal,
    ...('apiKey' in login
      ? { apiKey: login.apiKey }
      : {
          oauth: {
            ...login.oauth,
            onTokens: (tokens) => keepTokens(environment, connection, tokens),
          },
        }),
  });
  const call: CallApi = (methodAndPath, body) => {
    const [method = '', path = ''] = methodAndPath.split(' ');
    return shop.request(method, path, { body });
  };
  return { origin, store, shop, call };
}
