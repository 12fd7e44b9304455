import { env } from 'cloudflare:workers';
import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { hmacSha256, importHmacKey } from '../../src/base/crypto/hmac.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { withdrawAppEverywhere } from '../../src/oauth/withdraw-app.ts';
import { closeStore, reopenStore } from '../../src/stores/close-store.ts';
import { actionOf } from '../support/action.ts';
import { emptyOutboxes } from '../support/empty-outboxes.ts';
import { sampleCustomer } from '../support/fixtures/sample-data.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { approveConsent, connectApp, postRevocation } from '../support/oauth/partner.ts';
import { appWithWebhook, carry, deliver, deliveriesOf, webhookOf } from './app-webhook-support.ts';

emptyOutboxes();

it('an app is notified that it was connected and disconnected, signed as any webhook', async () => {
  const store = await createTestStore();
  const { app, clientId, url, secret } = await appWithWebhook(store.userId);
  const { tokens } = await connectApp(store, { app });
  await postRevocation({ client_id: clientId, token: tokens.refresh_token });
  await carry(store);
  const recorded = await deliveriesOf(clientId);
  expect(recorded.map(({ event }) => event)).toEqual(['app.connected', 'app.disconnected']);
  expect((await webhookOf(clientId))?.next_at).toBe(recorded[0]?.due_at);
  const received = await deliver(url);
  expect(received.map(({ body }) => body.event)).toEqual(['app.connected', 'app.disconnected']);
  const [first] = received;
  expect(first?.body).toEqual({
    event: 'app.connected',
    time: expect.any(String),
    merchant: { id: store.id, alias: store.alias },
    resource: { client_id: clientId },
  });
  const { headers, text } = first!;
  expect(new Webhook(secret).verify(text, headers)).toEqual(first?.body);
  const { serviceName } = settingsOf(env);
  const key = await importHmacKey(new TextEncoder().encode(secret));
  expect(headers[`X-${serviceName}-Hmac-SHA256`]).toBe(
    await hmacSha256(key, new TextEncoder().encode(text)),
  );
  expect(headers[`X-${serviceName}-Topic`]).toBe('app.connected');
  expect(headers[`X-${serviceName}-Shop-Domain`]).toBe(store.alias);
  expect(headers['webhook-id']).toMatch(/^evt_[0-9a-f]{46}$/);
});

it('the reason of a disconnection is reported, and an app without a webhook records nothing', async () => {
  const store = await createTestStore();
  const [subscribed, deaf] = [await appWithWebhook(store.userId), await connectApp(store)];
  const { app, clientId, url } = subscribed;
  const { tokens } = await connectApp(store, { app });
  await postRevocation({ client_id: clientId, token: tokens.refresh_token });
  await connectApp(store, { app });
  await withdrawAppEverywhere(env, clientId, Date.now());
  await carry(store);
  const bodies = (await deliver(url)).map(({ body }) => body);
  expect(bodies.map(({ event, resource }) => [event, resource.reason])).toEqual([
    ['app.connected', undefined],
    ['app.disconnected', 'revoked_by_app'],
    ['app.connected', undefined],
    ['app.disconnected', 'app_withdrawn'],
  ]);
  expect(await deliveriesOf(deaf.app.client_id)).toEqual([]);
});

it('a customer who is anonymised or deleted is reported to apps that may have seen them, also afterwards', async () => {
  const store = await createTestStore();
  const seeing = await appWithWebhook(store.userId);
  const blind = await appWithWebhook(store.userId);
  const { tokens } = await connectApp(store, { app: { ...seeing.app, scopes: 1 << 10 } });
  await connectApp(store, { app: { ...blind.app, scopes: 1 } });
  await postRevocation({ client_id: seeing.clientId, token: tokens.refresh_token });
  const { body } = await store.api('POST /customers', sampleCustomer);
  const id = body.data.id as number;
  expect((await store.api(`DELETE /customers/${id}`)).status).toBe(200);
  expect((await store.api(`DELETE /customers/${id}`)).status).toBe(404);
  await carry(store);
  const notified = (await deliver(seeing.url)).filter(
    (one) => one.body.event === 'customer.anonymized',
  );
  expect(notified.map((one) => one.body.resource)).toEqual([{ client_id: seeing.clientId, id }]);
  expect((await deliveriesOf(blind.clientId)).map(({ event }) => event)).toEqual(['app.connected']);
});

it('a store that closes is reported once to each app that had it, though it is deactivated', async () => {
  const store = await createTestStore();
  const { app, clientId, url } = await appWithWebhook(store.userId);
  await connectApp(store, { app });
  await carry(store);
  await deliver(url);
  const action = actionOf(store.userId);
  await closeStore(action, { storeId: store.id, reason: 'It ends.' });
  await closeStore(action, { storeId: store.id, reason: 'Again.' });
  await carry(store);
  const [closed, ...others] = await deliver(url);
  expect(closed?.body).toMatchObject({
    event: 'store.closed',
    merchant: { id: store.id },
    resource: { client_id: clientId, erase_at: expect.any(String) },
  });
  expect(others).toEqual([]);
});

it('events of a deactivated store wait until it is active again', async () => {
  const store = await createTestStore();
  const { app, url, clientId } = await appWithWebhook(store.userId);
  await approveConsent(store, app);
  await closeStore(actionOf(store.userId), { storeId: store.id, reason: 'For now.' });
  await carry(store);
  expect((await deliver(url)).map(({ body }) => body.event)).toEqual([]);
  const [waiting] = await deliveriesOf(clientId);
  expect([waiting?.attempts, waiting?.event]).toEqual([0, 'app.connected']);
  await reopenStore(actionOf(store.userId), { storeId: store.id });
  const later = await deliver(url, { now: Date.now() + 11 * 60_000 });
  expect(later.map(({ body }) => body.event)).toEqual(['app.connected']);
});
