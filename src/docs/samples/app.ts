import { DatabaseSync } from 'node:sqlite';
import { Hono } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as api from 'online-store-administration-client';

const { APP_URL = 'http://127.0.0.1:3000', CLIENT_ID = '', APP_SECRET = '' } = process.env;

// A change of tokens names the refresh token that it replaces, so processes can share the file.
const db = new DatabaseSync('app.db', { timeout: 5000 });
db.exec('create table if not exists tokens (store text primary key, refresh text, value text)');
const change = 'update tokens set refresh = ?, value = ? where store = ? and refresh is ?';
const rename = db.prepare('update or replace tokens set store = ? where store = ?');
const tokenStore: api.TokenStore = {
  async get(store) {
    const row = db.prepare('select value from tokens where store = ?').get(store);
    return (JSON.parse(String(row?.['value'] ?? null)) as api.Tokens | null) ?? undefined;
  },
  async compareAndSet(store, expected, next) {
    db.prepare('insert or ignore into tokens (store) values (?)').run(store);
    const value = next ? JSON.stringify(next) : null;
    const tokens = [next?.refresh_token ?? null, value, store, expected?.refresh_token ?? null];
    return db.prepare(change).run(...tokens).changes === 1;
  },
};
const redirectUri = `${APP_URL}/callback`;
const config = { baseUrl: '{{origin}}', clientId: CLIENT_ID, redirectUri, tokenStore };
const partner = api.oauthApp(config);
const app = new Hono();

// The merchant goes to the consent page. The cookie binds the authorization to this browser.
app.get('/install', async (c) => {
  const { url, kept } = await partner.authorizeUrl();
  const secure = APP_URL.startsWith('https:');
  setCookie(c, 'kept', JSON.stringify(kept), { httpOnly: true, secure, sameSite: 'Lax' });
  return c.redirect(url, 303);
});

app.get('/callback', async (c) => {
  const kept = JSON.parse(getCookie(c, 'kept') ?? '{}') as api.KeptAuthorization;
  deleteCookie(c, 'kept');
  const { store } = await partner.exchange(c.req.url, kept);
  const { meta } = await partner.client(store).orders.list().page();
  return c.text(`Connected to ${store}, with ${meta.pagination.total} orders`);
});

// The merchant may have connected again meanwhile, so the service says whether tokens are of no
// use.
app.post('/webhook', async (c) => {
  const { event, merchant, resource } = await api.webhooks.verifyAppEvent(c.req.raw, APP_SECRET);
  if (event === 'store.renamed') rename.run(merchant.alias, resource.former_alias ?? null);
  if (event === 'app.disconnected') await partner.isConnected(merchant.alias);
  if (event === 'store.closed') await partner.uninstall(merchant.alias);
  return c.body(null, 204);
});

app.onError((error, c) => {
  const isForged = error instanceof api.ApiError && error.code === 'signature';
  return c.text(error.message, isForged ? 401 : 503);
});
export default app;
