import { AsyncLocalStorage } from 'node:async_hooks';
import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { vi } from 'vitest';
import { createApp } from '../../../src/app/app.ts';
import { fakeDatabase } from '../fakes/fake-database.ts';
import type { TestStore } from '../fixtures/store.ts';
import { requestWithBody } from './client.ts';
import { expectDocumented, type ApiResponse } from './conform.ts';

const app = createApp();

/** A response with its number of batches, which shows how often the operation tried. */
export interface CountedResponse extends ApiResponse {
  batches: number;
}

const calls = new AsyncLocalStorage<{ batches: number }>();

/** A shard that counts the batches of each call, failed ones too, and answers `latencyMs` later. */
const countingShard = (shard: D1Database, latencyMs: number) =>
  fakeDatabase({
    prepare: (sql: string) => shard.prepare(sql),
    batch: async (statements: D1PreparedStatement[]) => {
      const call = calls.getStore();
      if (call) call.batches += 1;
      if (latencyMs > 0) await new Promise((resolve) => setTimeout(resolve, latencyMs));
      return shard.batch(statements);
    },
  });

const withLatency = (latencyMs: number) => ({
  ...env,
  STORE_0: countingShard(env.STORE_0, latencyMs),
  STORE_1: countingShard(env.STORE_1, latencyMs),
});

/** One environment for all calls, since an environment is checked when it is first seen. */
const near = withLatency(0);

/**
 * Sends requests at the same time: `method path` and body of each. Asserts that every response is
 * documented. The clock stands still meanwhile, because a writer that loses for ten seconds gives
 * up, and a busy machine takes as long.
 */
export async function callAtOnce(
  ...args: Parameters<typeof sendAtOnce>
): Promise<CountedResponse[]> {
  if (vi.isFakeTimers()) return sendAtOnce(...args);
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    return await sendAtOnce(...args);
  } finally {
    vi.useRealTimers();
  }
}

async function sendAtOnce(
  { alias, headers }: TestStore,
  requests: readonly (readonly [request: string, body?: unknown])[],
  { latencyMs = 0 } = {},
): Promise<CountedResponse[]> {
  const bindings = latencyMs === 0 ? near : withLatency(latencyMs);
  const sent = { ...headers, 'Content-Type': 'application/json' };
  const responses = await Promise.all(
    requests.map(([request, body]) => {
      const [method = '', path = ''] = request.split(/ (.*)/s);
      const url = `https://api.test/v2/${alias}${path}`;
      const call = { batches: 0 };
      return calls.run(call, async () => {
        const context = createExecutionContext();
        const response = await app.fetch(
          body === undefined
            ? new Request(url, { method, headers: sent })
            : requestWithBody(url, method, sent, JSON.stringify(body)),
          bindings,
          context,
        );
        const text = await response.text();
        await waitOnExecutionContext(context);
        const { status } = response;
        const result = { status, headers: response.headers, body: JSON.parse(text) };
        return { request, ...result, batches: call.batches };
      });
    }),
  );
  // Those of one operation and status are alike. A 500 is a bug of the service and never
  // documented.
  const kinds = new Map(responses.map((one) => [`${one.request} ${one.status}`, one]));
  for (const { request, ...response } of kinds.values()) {
    const [method = '', path = ''] = request.split(/ (.*)/s);
    if (response.status !== 500) expectDocumented(method, `/v2/${alias}${path}`, response);
  }
  return responses;
}

/** Number of callers. */
export const crowd = 50;

/**
 * Sends one request per caller, by default of a whole crowd; `of` returns the request of a caller,
 * who is numbered from 0.
 */
export const callByCrowd = (
  store: TestStore,
  of: (caller: number) => readonly [request: string, body?: unknown],
  { callers = crowd, ...options }: { callers?: number; latencyMs?: number } = {},
) =>
  callAtOnce(
    store,
    Array.from({ length: callers }, (_, caller) => of(caller)),
    options,
  );

/** Counts responses by status, such as `{ 201: 1, 409: 49 }`. */
export function countStatuses(responses: readonly ApiResponse[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of responses) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
