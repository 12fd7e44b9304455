import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { client } from '../index.ts';
import { authorize, revoke } from './authorize-app.ts';
import { openInBrowser } from './browser.ts';
import { connectionOptions, textOption, type Command, type CommandInput } from './command.ts';
import { isLoopback, resolveOrigin, toolsPath } from './connection.ts';
import {
  credentialsPath,
  findLogin,
  loginKey,
  removeLogin,
  saveLogin,
} from './stored-credentials.ts';
import { UsageError } from './usage-error.ts';

/**
 * Asks for secrets, one line each. The typed text is not shown, and never becomes part of the
 * shell's history. Lines of a pipe are read as well.
 */
async function askSecrets(questions: readonly string[]): Promise<string[]> {
  const silence = new Writable({ write: (_chunk, _encoding, written) => written() });
  const lines = createInterface({
    input: process.stdin,
    output: silence,
    terminal: process.stdin.isTTY,
  });
  const answers: string[] = [];
  const iterator = lines[Symbol.asyncIterator]();
  for (const question of questions) {
    process.stderr.write(`${question}: `);
    const { value } = await iterator.next();
    process.stderr.write('\n');
    answers.push(typeof value === 'string' ? value.trim() : '');
  }
  lines.close();
  return answers;
}

export const login: Command = {
  summary: 'sign in, and keep the credentials for later commands',
  usage: '[--client-id ID | --key | --mcp] [options]',
  details: `
Opens the browser, where the merchant chooses a store and agrees; the tokens come back to this machine. The app needs
the redirect URI http://127.0.0.1/callback. With --key, asks for the User-Token and the User-Secret-Key instead and
shows neither. With --mcp, signs in for store-api mcp; you choose in the browser what an assistant may do, and no
app is needed. Credentials are kept in a file that only you can read, and never printed. With --profile, beside those
of other names; later commands with that name find the service, too.

  store-api login --client-id demo-app
  store-api login --mcp
  store-api login --key --store demo
  store-api login --key --store demo --url https://api.example.com --profile live`,
  options: {
    'client-id': { type: 'string', value: 'ID', about: 'your app; or STORE_API_CLIENT_ID' },
    scope: { type: 'string', value: 'SCOPES', about: 'fewer scopes than the app has' },
    key: { type: 'boolean', about: 'sign in with an API key' },
    mcp: { type: 'boolean', about: 'sign in for assistants' },
  },
  run: async (input) => {
    const origin = resolveOrigin(connectionOptions(input), input.environment);
    if (input.values.key === true && input.values.mcp === true) {
      throw new UsageError('Use either --key or --mcp. A key is for the API and for assistants.');
    }
    const store = await (input.values.key === true ? loginByKey : loginByApp)(input, origin);
    const path = credentialsPath(input.environment);
    if (input.terminal.isJson) input.terminal.print({ url: origin, store });
    else input.terminal.line(`Logged in to ${store} at ${origin}.`);
    input.terminal.say(`The credentials are in ${path}.`);
  },
};

export const logout: Command = {
  summary: 'revoke the tokens and forget the credentials',
  usage: '[options]',
  details: `
Deletes the credentials of the service on this machine. An app or assistant that you signed in with is disconnected from the store.`,
  options: {},
  run: async (input) => {
    const { environment, terminal } = input;
    const origin = resolveOrigin(connectionOptions(input), environment);
    let wasLoggedIn = false;
    for (const resource of [origin, origin + toolsPath]) {
      const key = loginKey(resource, textOption(input, 'profile'));
      const saved = findLogin(environment, key);
      if (saved && 'oauth' in saved) await revoke(origin, saved.oauth);
      wasLoggedIn = removeLogin(environment, key) || wasLoggedIn;
    }
    terminal.say(wasLoggedIn ? `Logged out of ${origin}.` : `You were not logged in to ${origin}.`);
  },
};

/** The app of the demo, for a service on this machine. */
const demoClientId = 'demo-app';

async function loginByApp(input: CommandInput, origin: string): Promise<string> {
  const { environment, terminal, signal } = input;
  const isForTools = input.values.mcp === true;
  const resource = isForTools ? origin + toolsPath : origin;
  const sent = textOption(input, 'client-id');
  const app =
    sent ?? (environment.STORE_API_CLIENT_ID || (isLoopback(origin) ? demoClientId : undefined));
  if (app === undefined && !isForTools) {
    throw new UsageError('Which app? Add --client-id ID, or use --key.');
  }
  const { store, clientId, tokens } = await authorize({
    origin,
    clientId: isForTools ? sent : app,
    resource: isForTools ? resource : undefined,
    scope: textOption(input, 'scope'),
    signal,
    show: (url) => {
      terminal.say(`Agree in the browser. If it does not open, go to\n${url}`);
      openInBrowser(url, environment);
    },
  });
  saveLogin(environment, loginKey(resource, textOption(input, 'profile')), {
    store,
    oauth: { clientId, tokens },
  });
  return store;
}

/** Asks for an API key, and keeps it if the service knows it. */
async function loginByKey(input: CommandInput, origin: string): Promise<string> {
  const store = textOption(input, 'store') ?? input.environment.STORE_API_STORE;
  if (!store) throw new UsageError('Which store? Add --store ALIAS.');
  const [token = '', secret = ''] = await askSecrets(['User-Token', 'User-Secret-Key']);
  if (token === '' || secret === '') throw new UsageError('Both parts of the key are needed.');
  const apiKey = { token, secret };
  const shop = client({ store, baseUrl: origin, apiKey, signal: input.signal });
  await shop.request('POST', '/auth/me');
  saveLogin(input.environment, loginKey(origin, textOption(input, 'profile')), { store, apiKey });
  return store;
}
