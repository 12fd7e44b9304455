import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startReceiver, type WebhookReceiver } from '../../support/node/receivers/receiver.ts';
import { startService, type RunningService } from '../../support/node/runtime/service.ts';
import { patience } from '../../support/patience.ts';

/** A Worker of the platform: it forwards request bodies to its service binding. */
const neighbour = `export default {
  async fetch(request, env) {
    return Response.json(await env.REPORTS.report(await request.json()));
  },
};`;

let service: RunningService;
let inbox: WebhookReceiver;

/** The result of a report. */
interface ReportResult {
  ok: boolean;
  event_id: string;
  errors: Record<string, string[]>;
}

async function report(input: object): Promise<ReportResult> {
  // Miniflare's types import an unpublished package.
  const worker = (await service.runtime.getWorker('neighbour')) as unknown as {
    fetch: typeof fetch;
  };
  const body = JSON.stringify(input);
  const response = await worker.fetch('http://neighbour.test/', { method: 'POST', body });
  return (await response.json()) as ReportResult;
}

/** Waits until the receiver has `count` requests. */
const waitForReceived = (count: number) =>
  vi.waitUntil(() => inbox.received.length >= count, patience);

beforeAll(async () => {
  [service, inbox] = await Promise.all([startService({ neighbour }), startReceiver()]);
  const { api } = service;
  await api('POST /webhooks', { url: inbox.url, name: 'report', events: ['product.created'] });
  const { body: brand } = await api('POST /catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'Caneca', simple: true, active: true, brand_id: brand.data.id };
  await api('POST /catalog/products', product);
  await waitForReceived(1);
});

afterAll(async () => {
  await service.stop();
  inbox.server.close();
});

describe('a report of another Worker through a service binding', () => {
  it('is delivered once, however often it is repeated', async () => {
    const { resource } = JSON.parse(inbox.received[0]!.body.toString()) as { resource: object };
    const input = { alias: 'bench', event: 'product.created', resource, idempotency_key: 'k' };
    const results = await Promise.all([report(input), report(input)]);
    results.push(await report(input));
    expect(results.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(new Set(results.map(({ event_id }) => event_id)).size).toBe(1);
    await waitForReceived(2);
    await report({ ...input, idempotency_key: 'other' });
    await waitForReceived(3);
    expect(inbox.received).toHaveLength(3);
    const [published, reported] = inbox.received;
    expect(JSON.parse(reported!.body.toString()).resource).toEqual(resource);
    expect(reported!.headers['webhook-id']).toBe(results[0]?.event_id);
    expect(published!.headers['webhook-id']).not.toBe(results[0]?.event_id);
  });

  it('returns the errors of invalid fields', async () => {
    const input = { alias: 'bench', event: 'product.created', resource: {}, idempotency_key: 'x' };
    const result = await report(input);
    expect(result.ok).toBe(false);
    expect(Object.keys(result.errors)).toContain('resource.name');
    expect(await report({ ...input, alias: 'unknown' })).toMatchObject({ ok: false });
  });
});
