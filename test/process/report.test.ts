import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { receiver, type Receiver } from '../support/node/receiver.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { pair, seedStore } from '../support/node/store.ts';

/** A service of the platform: it passes what it is sent on through its service binding. */
const neighbour = `export default {
  async fetch(request, env) {
    return Response.json(await env.REPORTS.report(await request.json()));
  },
};`;

const scratch = mkdtempSync(join(tmpdir(), 'store-api-report-'));
let built: Bundle;
let runtime: Miniflare;
let inbox: Receiver;

/** What an answer of either Worker may hold. */
interface Told {
  data: { id: number };
  ok: boolean;
  event_id: string;
  errors: Record<string, string[]>;
}

async function call(path: string, body: object): Promise<Told> {
  const answer = await fetch(`${(await runtime.ready).href}v2/bench${path}`, {
    method: 'POST',
    headers: { ...pair, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Told;
}

async function report(sent: object): Promise<Told> {
  // Miniflare's own types name a package that is not published.
  const worker = (await runtime.getWorker('neighbour')) as unknown as { fetch: typeof fetch };
  const body = JSON.stringify(sent);
  const answer = await worker.fetch('http://neighbour.test/', { method: 'POST', body });
  return (await answer.json()) as Told;
}

async function received(count: number): Promise<void> {
  for (const until = Date.now() + 10_000; inbox.received.length < count && Date.now() < until;) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

beforeAll(async () => {
  built = bundle();
  const script = join(built.folder, 'index.js');
  runtime = await startRuntime({ script, persist: scratch, neighbour });
  await migrate(runtime);
  await seedStore(runtime);
  inbox = await receiver();
  await call('/webhooks', { url: inbox.url, name: 'report', events: ['product.created'] });
  const brand = await call('/catalog/brands', { name: 'Marca', active: true });
  const product = { name: 'Caneca', simple: true, active: true, brand_id: brand.data.id };
  await call('/catalog/products', product);
  await received(1);
});

afterAll(async () => {
  await runtime.dispose();
  inbox.server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

describe('another Worker that reports through a service binding', () => {
  it('has its event delivered once, however often it reports it', async () => {
    const { resource } = JSON.parse(inbox.received[0]!.body.toString()) as { resource: object };
    const sent = { alias: 'bench', event: 'product.created', resource, idempotency_key: 'k' };
    const answers = await Promise.all([report(sent), report(sent)]);
    answers.push(await report(sent));
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true]);
    expect(new Set(answers.map((answer) => answer.event_id)).size).toBe(1);
    await received(2);
    await report({ ...sent, idempotency_key: 'other' });
    await received(3);
    expect(inbox.received).toHaveLength(3);
    const [own, theirs] = inbox.received;
    expect(JSON.parse(theirs!.body.toString()).resource).toEqual(resource);
    expect(theirs!.headers['webhook-id']).toBe(answers[0]?.event_id);
    expect(own!.headers['webhook-id']).not.toBe(answers[0]?.event_id);
  });

  it('is told which fields are wrong', async () => {
    const sent = { alias: 'bench', event: 'product.created', resource: {}, idempotency_key: 'x' };
    const answer = await report(sent);
    expect(answer.ok).toBe(false);
    expect(Object.keys(answer.errors)).toContain('resource.name');
    expect(await report({ ...sent, alias: 'nobody' })).toMatchObject({ ok: false });
  });
});
