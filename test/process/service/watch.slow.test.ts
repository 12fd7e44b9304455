import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { deploymentFile, deriveWatchConfig } from '../../support/node/deploy/production-config.ts';
import { buildWorker } from '../../support/node/runtime/bundle.ts';
import { migrateRuntime, startRuntime } from '../../support/node/runtime/runtime.ts';
import { patience } from '../../support/patience.ts';

const folder = mkdtempSync(join(tmpdir(), 'watch-'));
const readyKey = 'a key for the monitor';

interface Posted {
  event: string;
  count: number;
  text: string;
  meaning: string;
  action: string;
  fields: Record<string, unknown>;
}

/**
 * The messages that the chat of the operators received, and how often the alarm of another service
 * was reset.
 */
let posted: Posted[] = [];
let beats = 0;
/** The status that the chat answers with, and the one of `/ready`. */
let chatStatus = 200;
let readyStatus = 200;
/** The synthetic orders that arrived, and the status that they are answered with. */
let ordered: { key: string; items: unknown; isAllowed: boolean }[] = [];
let orderStatus = 201;
let outside: Server;
let runtime: Miniflare;

/** Builds the Worker from the configuration that a deployment derives, with the real wrangler. */
function buildWatch(): string {
  const config = deriveWatchConfig(folder, {
    ...deploymentFile,
    alerts: { url: 'https://chat.example.com/hook' },
  });
  const path = join(folder, 'watch.json');
  writeFileSync(path, JSON.stringify(config));
  const out = join(folder, 'built');
  execFileSync('wrangler', ['deploy', '--config', path, '--dry-run', '--outdir', out], {
    stdio: 'ignore',
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
  });
  return out;
}

beforeAll(async () => {
  outside = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url === '/beat') beats += 1;
      if (request.url === '/ready') {
        const isAllowed = request.headers.authorization === `Bearer ${readyKey}`;
        response.statusCode = isAllowed ? readyStatus : 401;
        return response.end(JSON.stringify({ checks: { kv: 'ok', store_1: 'failed' } }));
      }
      if (request.url === '/v2/probe/orders') {
        const { headers } = request;
        const { items } = JSON.parse(Buffer.concat(chunks).toString()) as { items: unknown };
        const isAllowed = headers['user-token'] === 'probe' && headers['user-secret-key'] === 'sk';
        ordered.push({ key: String(headers['idempotency-key']), items, isAllowed });
        response.statusCode = orderStatus;
      }
      if (request.url === '/chat') {
        response.statusCode = chatStatus;
        if (chatStatus === 200) posted.push(JSON.parse(Buffer.concat(chunks).toString()) as Posted);
      }
      response.end();
    });
  });
  await new Promise<void>((resolve) => outside.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(outside.address() as AddressInfo).port}`;
  const [{ script }, watch] = [await buildWorker(), buildWatch()];
  runtime = await startRuntime({
    script,
    persist: join(folder, 'state'),
    watch: {
      folder: watch,
      bindings: {
        DEPLOYMENT_NAME: 'store-api',
        SERVICE_URL: origin,
        RUNBOOK_URL: 'https://docs.example.com/operations',
        ALERT_URL: `${origin}/chat`,
        HEARTBEAT_URL: `${origin}/beat`,
        READY_KEY: readyKey,
        ORDER_ALIAS: 'probe',
        ORDER_SKU_ID: '77',
        ORDER_USER_TOKEN: 'probe',
        ORDER_USER_SECRET_KEY: 'sk',
      },
    },
  });
  await migrateRuntime(runtime);
});
afterAll(async () => {
  await runtime?.dispose();
  outside?.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  [posted, beats, chatStatus, readyStatus, ordered, orderStatus] = [[], 0, 200, 200, [], 201];
  const kept = await memory();
  for (const { name } of (await kept.list()).keys) await kept.delete(name);
});

/** The memory of the Worker that watches. Miniflare's types import an unpublished package. */
const memory = async () =>
  (await runtime.getKVNamespace('WATCH', 'watch')) as unknown as KVNamespace;

/** Starts the cron of a minute after the hour; an order is due in each fifth. */
const minute = async (at = 1) => {
  const worker = (await runtime.getWorker('watch')) as unknown as {
    scheduled: (options: { cron: string; scheduledTime: Date }) => Promise<unknown>;
  };
  await worker.scheduled({ cron: '* * * * *', scheduledTime: new Date(at * 60_000) });
};

/** Makes the service log an alert: a message that it does not know, in one of its queues. */
const causeAlert = async () => {
  const queue = await runtime.getQueueProducer('WAKEUP_FAST_0', 'service');
  await queue.send({ nobody: 'knows this' });
};

const arrived = (count: number) =>
  vi.waitFor(() => expect(posted.length).toBeGreaterThanOrEqual(count), patience);

it('posts an alert of the log once, with what it means and what to do', async () => {
  await causeAlert();
  await arrived(1);
  expect(posted).toHaveLength(1);
  const [alert] = posted;
  expect(alert).toMatchObject({
    event: 'messages_malformed',
    fields: { queue: expect.any(String) },
    meaning: expect.stringContaining('not of this service'),
    action: 'Check what else writes to the queue.',
  });
  expect(alert?.text).toContain('store-api: messages_malformed');
  expect(alert?.text).toContain('What to do: Check what else writes to the queue.');
  expect(alert?.text).toContain('https://docs.example.com/operations#queue-backlog');
});

it('sends an alert that the chat refused in the next minute', async () => {
  chatStatus = 503;
  await causeAlert();
  const kept = await memory();
  await vi.waitFor(async () => {
    expect((await kept.list({ prefix: 'held:' })).keys).toHaveLength(1);
  }, patience);
  await minute();
  expect([posted, beats]).toEqual([[], 0]);
  chatStatus = 200;
  await minute();
  expect(beats).toBe(1);
  expect(posted.map(({ event }) => event)).toEqual(['messages_malformed']);
  await minute();
  expect(posted).toHaveLength(1);
});

it('calls the alarm of another service only while the service is ready', async () => {
  await minute();
  expect([beats, posted]).toEqual([1, []]);
  readyStatus = 503;
  await minute();
  expect([beats, posted]).toEqual([1, []]);
});

it('reports an outage after two minutes, once an hour, and its end', async () => {
  readyStatus = 503;
  for (let elapsed = 1; elapsed <= 3; elapsed += 1) await minute();
  expect(posted.map(({ event, fields }) => [event, fields.problem])).toEqual([
    ['service_not_ready', '503: store_1'],
  ]);
  const kept = await memory();
  await kept.delete('sent:service_not_ready');
  for (let elapsed = 4; elapsed <= 60; elapsed += 1) await minute();
  expect(posted).toHaveLength(2);
  readyStatus = 200;
  await minute();
  expect(posted.at(-1)).toMatchObject({ event: 'service_ready_again', fields: { minutes: 60 } });
});

it('places an order every five minutes, and reports two that failed, and the next that does not', async () => {
  for (const at of [4, 5, 6, 10]) await minute(at);
  expect(beats).toBe(4);
  const items = [{ sku_id: 77, quantity: 1 }];
  expect(ordered).toMatchObject([
    { items, isAllowed: true },
    { items, isAllowed: true },
  ]);
  expect(new Set(ordered.map(({ key }) => key)).size).toBe(2);
  orderStatus = 503;
  await minute(15);
  expect([posted, beats]).toEqual([[], 4]);
  await minute(20);
  orderStatus = 201;
  await minute(25);
  expect(posted.map(({ event, fields }) => [event, fields.problem ?? fields.minutes])).toEqual([
    ['synthetic_order_failed', '503: '],
    ['synthetic_order_placed_again', 10],
  ]);
  expect(posted[0]?.action).toContain('its API key ended');
});
