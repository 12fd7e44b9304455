import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import { notFound, HttpError } from '../../base/errors.ts';
import { settingsOf } from '../../base/settings.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { buildLayoutProps, pageHeaders } from '../../web/render-page.ts';
import { clearInbox, listInboxEntries, saveInboxEntry } from './entries.ts';
import { InboxPage, inboxStylesheet } from './inbox-page.tsx';
import { checkDeliverySignature } from './signature-check.ts';

const inboxPath = '/demo/inbox';

/**
 * Mounts the demo inbox, a webhook receiver. `POST` stores a request and returns 200, or the status
 * of the parameter `status`. `GET` shows the requests as a page or, with `.json`, as JSON. `DELETE`
 * clears it. Needs no authentication.
 */
export function mountInbox(app: Hono<AppEnv>) {
  app.post(inboxPath, (c) => receiveDelivery(c));
  app.get(`${inboxPath}.json`, async (c) => c.json(await listInboxEntries(requireInbox(c.env))));
  app.get(inboxPath, async (c) => {
    const isPaused = c.req.query('refresh') === 'off';
    const entries = await listInboxEntries(requireInbox(c.env));
    const { brand } = buildLayoutProps(c, 'en');
    const props = { brand, origin: new URL(c.req.url).origin, entries, isPaused };
    const headers = { ...pageHeaders(), ...(!isPaused && { Refresh: '5' }) };
    return c.html(html`<!doctype html>${<InboxPage {...props} />}`, 200, headers);
  });
  app.get(inboxStylesheet.href, (c) => {
    requireInbox(c.env);
    return c.body(inboxStylesheet.text, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });
  app.delete(inboxPath, async (c) => {
    await clearInbox(requireInbox(c.env));
    return c.json({ success: true });
  });
}

/** The KV namespace of the inbox. Throws 404 unless the configuration is local. */
function requireInbox(env: Env): KVNamespace {
  if (!settingsOf(env).isLocal || !env.DEMO) throw notFound();
  return env.DEMO;
}

async function receiveDelivery(c: Context<AppEnv>) {
  const inbox = requireInbox(c.env);
  const status = Number(c.req.query('status') ?? 200);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new HttpError('invalid_query', {
      errors: { status: ['Must be a number from 200 to 599.'] },
    });
  }
  c.set('operation', 'receiveDemoDelivery');
  const { headers } = c.req.raw;
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const verdict = await checkDeliverySignature(c.env, headers, bytes);
  const header = (name: string) => headers.get(`X-${settingsOf(c.env).serviceName}-${name}`);
  // A byte order mark is part of the signed bytes.
  const body = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  const delivery = readDelivery(body);
  await saveInboxEntry(inbox, {
    received_at: new Date().toISOString(),
    verdict,
    event: delivery.event ?? header('Topic'),
    store: delivery.store ?? header('Shop-Domain'),
    attempt: Number(header('Attempt')) || null,
    answered: status,
    headers: Object.fromEntries(headers),
    body,
  });
  const text = [204, 205, 304].includes(status) ? null : JSON.stringify({ verdict });
  return new Response(text, { status, headers: { 'Content-Type': 'application/json' } });
}

/** Reads event and store from the body. Both are absent when it is not a delivery. */
function readDelivery(body: string): { event?: string | undefined; store?: string | undefined } {
  try {
    const { event, merchant } = JSON.parse(body) as {
      event?: unknown;
      merchant?: { alias?: unknown };
    };
    const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
    return { event: text(event), store: text(merchant?.alias) };
  } catch {
    return {};
  }
}
