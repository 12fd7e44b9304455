import { env } from 'cloudflare:workers';
import { expect, it, vi } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { DeliveryState } from '../../src/data/schema/store/webhooks-tables.ts';
import { mockNetwork } from '../support/fakes/network.ts';
import '../support/fixtures/first-shard.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { createConsumer } from '../support/webhooks/consumer.ts';
import { fillDeliveryLog } from '../support/webhooks/delivery-log.ts';

it('fault 65: logs, errors and responses show no secret or signature, except the response that creates a secret', async () => {
  const output: string[] = [];
  const spies = (['log', 'warn', 'error'] as const).map((level) =>
    vi.spyOn(console, level).mockImplementation((...words) => void output.push(words.join(' '))),
  );
  const shop = await createTestStore();
  using _network = mockNetwork(() => new Response('no', { status: 500 }));
  const webhook = {
    url: 'http://127.0.0.1:9/?token=of-the-url',
    name: 'a',
    events: ['order.paid'],
  };
  const { body: made } = await shop.api('POST /webhooks', webhook);
  const path = `/webhooks/${made.data.id}`;
  await fillDeliveryLog(shop, made.data.id, {
    count: 2,
    state: DeliveryState.open,
    event: 'order.paid',
  });
  await env.STORE_0.prepare('update webhook_endpoints set next_attempt_at = 1 where id = ?')
    .bind(made.data.id)
    .run();
  const { body: rotated } = await shop.api(`POST ${path}/rotate-secret`, {});
  const run = createConsumer(() => {
    throw new Error('internal error; reference = 1');
  });
  run.clock.now = Date.now();
  await run.deliver(made.data.id);
  const responses = [
    await shop.api('GET /webhooks'),
    await shop.api(`GET ${path}`),
    await shop.api(`PUT ${path}`, { name: 'b' }),
    await shop.api(`PUT ${path}`, { name: null }),
    await shop.api(`POST ${path}/rotate-secret`, {}),
    await shop.api(`POST ${path}/rotate-secret/commit`),
    await shop.api(`POST ${path}/ping`),
    await shop.api(`GET ${path}/deliveries`),
    await shop.api(`GET ${path}/deliveries/1`),
    await shop.api(`GET ${path}/stats`),
  ];
  for (const spy of spies) spy.mockRestore();
  const everything = output.join('\n') + JSON.stringify(responses.map(({ body }) => body));
  expect(run.requests.length).toBeGreaterThan(0);
  expect(output.length).toBeGreaterThan(0);
  const hidden = [
    made.data.secret_key,
    rotated.data.secret_key,
    settingsOf(env).sealingKeys.current,
    shop.headers['User-Secret-Key']!,
    ...run.requests.flatMap(({ headers }) =>
      ['x-service-hmac-sha256', 'x-service-hmac-sha256-next', 'webhook-signature'].map((name) =>
        headers.get(name)!,
      ),
    ),
  ];
  expect(hidden.every((text) => text.length > 10)).toBe(true);
  expect(hidden.filter((text) => everything.includes(text))).toEqual([]);
  expect(output.join('\n')).not.toContain('of-the-url');
});
