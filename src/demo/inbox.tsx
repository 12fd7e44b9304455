import type { Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Faces } from '../http/faces.ts';
import { pageHeaders } from '../http/page-headers.ts';
import { notFound, Problem } from '../problem.ts';
import { settingsOf } from '../settings.ts';
import { empty, entries, keep } from './inbox-entries.ts';
import { InboxPage, inboxSheet } from './inbox-page.tsx';
import { verdictOf } from './verdict.ts';

const path = '/demo/inbox';

/**
 * The demo inbox: a receiver of webhooks that anyone on this machine may use. `POST` takes a delivery
 * (`?status=500` answers that instead of 200), `GET` shows them as a page or, at `.json`, as data, `DELETE`
 * empties it. Nothing of it is there in a deployed configuration.
 */
export function mountInbox(app: Hono<Faces>) {
  app.post(path, (c) => receive(c));
  app.get(`${path}.json`, async (c) => c.json(await entries(inboxOf(c.env))));
  app.get(path, async (c) => {
    const isPaused = c.req.query('refresh') === 'off';
    const kept = await entries(inboxOf(c.env));
    const props = { origin: new URL(c.req.url).origin, entries: kept, isPaused };
    const headers = { ...pageHeaders(), ...(!isPaused && { Refresh: '5' }) };
    return c.html(html`<!doctype html>${<InboxPage {...props} />}`, 200, headers);
  });
  app.get(inboxSheet.href, (c) => {
    inboxOf(c.env);
    return c.body(inboxSheet.text, 200, { 'Content-Type': 'text/css; charset=utf-8' });
  });
  app.delete(path, async (c) => {
    await empty(inboxOf(c.env));
    return c.json({ success: true });
  });
}

/** Where deliveries are kept; only a local configuration has such a place. */
function inboxOf(env: Env): KVNamespace {
  if (!settingsOf(env).isLocal || !env.DEMO) throw notFound();
  return env.DEMO;
}

async function receive(c: Context<Faces>) {
  const inbox = inboxOf(c.env);
  const status = Number(c.req.query('status') ?? 200);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw new Problem(400, { errors: { status: ['Must be a number from 200 to 599.'] } });
  }
  c.set('operation', 'receiveDemoDelivery');
  const { headers } = c.req.raw;
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  const verdict = await verdictOf(c.env, headers, bytes);
  const header = (name: string) => headers.get(`X-${settingsOf(c.env).serviceName}-${name}`);
  // A byte order mark is a part of what was signed.
  const body = new TextDecoder('utf-8', { fatal: false, ignoreBOM: true }).decode(bytes);
  const told = toldBy(body);
  await keep(inbox, {
    received_at: new Date().toISOString(),
    verdict,
    event: told.event ?? header('Topic'),
    store: told.store ?? header('Shop-Domain'),
    attempt: Number(header('Attempt')) || null,
    answered: status,
    headers: Object.fromEntries(headers),
    body,
  });
  const text = [204, 205, 304].includes(status) ? null : JSON.stringify({ verdict });
  return new Response(text, { status, headers: { 'Content-Type': 'application/json' } });
}

/** Event and store as the body tells them, if it is a delivery at all. */
function toldBy(body: string): { event?: string | undefined; store?: string | undefined } {
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
