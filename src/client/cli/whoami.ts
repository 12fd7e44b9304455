import type { Command } from './command.ts';
import { openSession } from './session.ts';

/** The members of the answer of `POST /auth/me` that are shown. */
interface Me {
  name: string;
  email: string;
  is_owner: boolean;
}

export const whoami: Command = {
  summary: 'the user, the store and the service of your calls',
  usage: '[options]',
  details: `
Asks the service whose credentials the other commands send, and prints no secret.

  store-api whoami --json`,
  options: {},
  run: async (input) => {
    const { origin, store, clientId, shop } = openSession(input);
    const { name, email, is_owner } = await shop.request<Me>('POST', '/auth/me');
    if (input.terminal.isJson) {
      input.terminal.print({
        url: origin,
        store,
        client_id: clientId ?? null,
        name,
        email,
        is_owner,
      });
      return;
    }
    const by = clientId === undefined ? 'an API key' : `the app ${clientId}`;
    input.terminal.line(`${name} <${email}>, by ${by}`);
    input.terminal.line(`Store ${store} at ${origin}`);
  },
};
