import { Browser } from '../../support/browser/browser.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

/** Signs in a partner who owns a store. */
export async function partner(options: { shard?: number } = {}) {
  const own = await createTestStore(options);
  return { own, ownerId: own.userId, browser: await new Browser().signIn(own.userId) };
}

/** Valid fields of the app form. */
export const right = {
  name: 'Estoque Fácil',
  publisher: 'Paula Prado Software',
  redirect_uris: 'https://partner.test/callback\r\nhttp://127.0.0.1/callback\r\n',
  powers: 'chosen',
  area_catalog: 'read',
  area_payments: 'write',
};
