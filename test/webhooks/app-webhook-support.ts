import { env } from 'cloudflare:workers';
import { setAppWebhook } from '../../src/accounts/partners/app-webhook.ts';
import { openDatabase, shardBinding } from '../../src/data/core/open-database.ts';
import { recordAppEvents } from '../../src/data/directory/app-deliveries.ts';
import { sendAppEvents } from '../../src/ops/app-webhooks.ts';
import { followDirectory } from '../../src/ops/follow-directory.ts';
import { mailNotices, maxNotices } from '../../src/ops/mail-notices.ts';
import { actionOf } from '../support/action.ts';
import { expectDocumentedEvent } from '../support/api/conform.ts';
import type { TestStore } from '../support/fixtures/store.ts';
import { createTestApp } from '../support/oauth/partner.ts';

/** A request that a receiver got. */
export interface Received {
  headers: Record<string, string>;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- the body of an event
  body: any;
}

/** An app with a webhook of its own, and its secret. */
export async function appWithWebhook(ownerId: number) {
  const app = await createTestApp({ ownerId });
  const { client_id: clientId } = app;
  const url = `https://hooks.partner.test/${clientId}`;
  const secret = (await setAppWebhook(actionOf(ownerId), { clientId, name: 'App', url })) ?? '';
  return { app, clientId, url, secret };
}

/**
 * Runs the sweep for a store's shard: follows the directory, and turns all notices into events,
 * also those of other tests.
 */
export async function carry(store: TestStore, bindings: Partial<Env> = {}) {
  const context = {
    env: { ...env, ...bindings },
    shard: store.shard,
    db: bindings[`STORE_${store.shard}` as 'STORE_0'] ?? shardBinding(env, store.shard),
    now: Date.now,
    hasTime: () => true,
  };
  await followDirectory(context);
  while ((await mailNotices(context)) === maxNotices);
}

/**
 * Sends all that is due at a time, also to webhooks of other tests, and returns the requests to one
 * URL.
 */
export async function deliver(
  url: string,
  {
    now = Date.now(),
    respond = () => new Response(),
    bindings = {},
  }: {
    now?: number;
    respond?: (body: Received['body']) => Response | Promise<Response>;
    bindings?: Partial<Env>;
  } = {},
): Promise<Received[]> {
  const received: Received[] = [];
  const fetch = async (to: string, { headers, body }: RequestInit) => {
    if (to !== url) return new Response();
    const text = new TextDecoder().decode(body as Uint8Array);
    const parsed: unknown = JSON.parse(text);
    received.push({ headers: headers as Record<string, string>, text, body: parsed });
    return respond(parsed);
  };
  const deps = { now: () => now, random: () => 0, fetch };
  while ((await sendAppEvents({ ...env, ...bindings }, { deps })).hasMore);
  for (const { body } of received) expectDocumentedEvent(body);
  return received;
}

/** The deliveries of an app, oldest first. */
export const deliveriesOf = async (clientId: string) =>
  (
    await env.DIRECTORY.prepare('select * from app_deliveries where client_id = ? order by id')
      .bind(clientId)
      .all<{ event: string; event_id: string; due_at: number | null; attempts: number }>()
  ).results;

/** The webhook of an app. */
export const webhookOf = (clientId: string) =>
  env.DIRECTORY.prepare('select * from app_webhooks where client_id = ?').bind(clientId).first<{
    active: number;
    failures: number;
    next_at: number | null;
    failing_since: number | null;
    secret_current: string;
  }>();

/** Records events for an app, which are due now. */
export async function recordEvents(clientId: string, count: number) {
  const directory = openDatabase(env.DIRECTORY);
  const events = Array.from({ length: count }, (_, index) => ({
    event: 'app.connected',
    storeId: 0,
    body: JSON.stringify({ event: 'app.connected', resource: { client_id: clientId } }),
    clientId,
    key: crypto.randomUUID(),
    id: `evt_${index}`,
  }));
  const [first, second] = recordAppEvents(directory, events, Date.now());
  await directory.batch([first!, second!]);
}

/**
 * Records an event for an app and sends it: how many signatures it has, and whether the next secret
 * signs a header.
 */
export async function appDeliveryHeaders(clientId: string) {
  await recordEvents(clientId, 1);
  const found = await env.DIRECTORY.prepare('select url from app_webhooks where client_id = ?')
    .bind(clientId)
    .first<{ url: string }>();
  const [received] = await deliver(found?.url ?? '');
  const { headers = {} } = received ?? {};
  return {
    signatures: headers['webhook-signature']?.split(' ').length,
    hasNext: Object.keys(headers).some((name) => name.endsWith('-Hmac-SHA256-Next')),
  };
}
