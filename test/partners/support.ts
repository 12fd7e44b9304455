import { store } from '../support/store.ts';
import { Browser } from '../support/browser.ts';

/** A partner with a store of their own, signed in. */
export async function partner(options: { shard?: number } = {}) {
  const own = await store(options);
  return { own, ownerId: own.userId, browser: await new Browser().signedIn(own.userId) };
}

/** A form about an app that is right. */
export const right = {
  name: 'Estoque Fácil',
  publisher: 'Paula Prado Software',
  redirect_uris: 'https://partner.test/callback\r\nhttp://127.0.0.1/callback\r\n',
  scopes: ['catalog.read', 'payments.write'],
};
