import { env } from 'cloudflare:workers';
import { afterEach, expect, it, vi } from 'vitest';
import { withdrawAppEverywhere } from '../../src/oauth/withdraw-app.ts';
import { handleMailWakeups } from '../../src/ops/outbox-queue.ts';
import { closeStore } from '../../src/stores/close-store.ts';
import { renameAlias } from '../../src/stores/rename-store.ts';
import { actionOf } from '../support/action.ts';
import { emptyOutboxes } from '../support/empty-outboxes.ts';
import { sampleCustomer } from '../support/fixtures/sample-data.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { type ConnectedTestApp, connectApp, postRevocation } from '../support/oauth/partner.ts';
import { appWithWebhook } from './app-webhook-support.ts';

emptyOutboxes();
afterEach(() => vi.restoreAllMocks());

/** Keeps the messages of the outbox, for {@link drain}. */
function collectWakeups() {
  const messages: unknown[] = [];
  vi.spyOn(env.MAIL, 'sendBatch').mockImplementation(async (sent) => {
    messages.push(...[...sent].map(({ body }) => body));
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  });
  return messages;
}

/**
 * Gives messages to the consumer until none is left, and returns the events that one receiver got.
 * No sweep runs.
 */
async function drain(messages: unknown[], url: string): Promise<string[]> {
  const events: string[] = [];
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (to, init) => {
    if (to === url) {
      const text = new TextDecoder().decode(init?.body as Uint8Array);
      events.push((JSON.parse(text) as { event: string }).event);
    }
    return new Response();
  });
  while (messages.length > 0) {
    const bodies = messages.splice(0);
    const batch = { queue: 'mail', messages: bodies.map((body) => ({ body })), ackAll: vi.fn() };
    await handleMailWakeups(batch as unknown as MessageBatch, env);
  }
  return events;
}

interface Connection {
  store: TestStore;
  connected: ConnectedTestApp;
}

/** Runs an action, and what it defers. */
async function act(
  { store }: Connection,
  run: (action: ReturnType<typeof actionOf>) => Promise<unknown>,
) {
  const deferred: Promise<unknown>[] = [];
  await run({ ...actionOf(store.userId), defer: (work) => void deferred.push(work) });
  await Promise.all(deferred);
}

const causes: [event: string, cause: (connection: Connection) => Promise<unknown>][] = [
  [
    'app.disconnected',
    ({ connected: { app, tokens } }) =>
      postRevocation({ client_id: app.client_id, token: tokens.refresh_token }),
  ],
  [
    'app.disconnected',
    ({ connected: { app } }) => withdrawAppEverywhere(env, app.client_id, Date.now()),
  ],
  [
    'customer.anonymized',
    async ({ store }) => {
      const { body } = await store.api('POST /customers', sampleCustomer);
      await store.api(`DELETE /customers/${body.data.id}`);
    },
  ],
  [
    'store.closed',
    (connection) =>
      act(connection, (action) =>
        closeStore(action, { storeId: connection.store.id, reason: 'It ends.' }),
      ),
  ],
  [
    'store.renamed',
    (connection) =>
      act(connection, (action) =>
        renameAlias(action, {
          storeId: connection.store.id,
          alias: `${connection.store.alias}-new`,
          reason: 'It grows.',
        }),
      ),
  ],
];

it.each(causes)('app.connected and then %s leave without a sweep', async (event, cause) => {
  const store = await createTestStore();
  const { app, url } = await appWithWebhook(store.userId);
  const messages = collectWakeups();
  const connected = await connectApp(store, { app });
  expect(await drain(messages, url)).toEqual(['app.connected']);
  vi.mocked(globalThis.fetch).mockRestore();
  await cause({ store, connected });
  await vi.waitUntil(() => messages.length > 0);
  expect(await drain(messages, url)).toEqual([event]);
});
