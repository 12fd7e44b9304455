import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../../src/app.ts';
import type { TestStore } from '../fixtures/store.ts';
import { requestWithBody } from './client.ts';
import { expectDocumented, type ApiResponse } from './conform.ts';

const app = createApp();

/** The cost of a request on one database. */
export interface DatabaseCost {
  /** Sequential calls to the database. */
  roundTrips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

/** A cost of nothing, to be counted up by `countingDatabase`. */
export const noCost = (): DatabaseCost => ({
  roundTrips: 0,
  statements: 0,
  rowsRead: 0,
  rowsWritten: 0,
});

/** Wraps a database so that each call adds to `cost`. */
export function countingDatabase(binding: D1Database, cost: DatabaseCost): D1Database {
  const add = (results: readonly D1Result[]) => {
    cost.roundTrips += 1;
    cost.statements += results.length;
    for (const { meta } of results) {
      cost.rowsRead += meta.rows_read;
      cost.rowsWritten += meta.rows_written;
    }
  };
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const counted = (statement: D1PreparedStatement): D1PreparedStatement => {
    const wrapper = {
      bind: (...values: unknown[]) => counted(statement.bind(...values)),
      all: async () => {
        const result = await statement.all();
        add([result]);
        return result;
      },
      run: async () => {
        const result = await statement.run();
        add([result]);
        return result;
      },
      first: async () => {
        const result = await statement.all();
        add([result]);
        return result.results[0] ?? null;
      },
      raw: async () => {
        const result = await statement.all();
        add([result]);
        return statement.raw();
      },
    } as unknown as D1PreparedStatement;
    originals.set(wrapper, statement);
    return wrapper;
  };
  return {
    prepare: (sql: string) => counted(binding.prepare(sql)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await binding.batch(statements.map((one) => originals.get(one) ?? one));
      add(results);
      return results;
    },
  } as unknown as D1Database;
}

/** A response with its cost on the directory and on the database of the store. */
export interface MeasuredResponse {
  response: ApiResponse;
  directory: DatabaseCost;
  data: DatabaseCost;
}

/** Calls an operation like `api`, and measures its cost on the directory and on the database of the store. */
export async function measureRequest(
  store: TestStore,
  request: string,
  body?: unknown,
): Promise<MeasuredResponse> {
  const directory = noCost();
  const data = noCost();
  const response = await callWithBindings(store, request, body, {
    DIRECTORY: countingDatabase(env.DIRECTORY, directory),
    STORE_0: countingDatabase(env.STORE_0, data),
  });
  return { response, directory, data };
}

/** Calls an operation with some bindings replaced, and waits for the work that it defers past the response. */
export function callWithBindings(
  store: TestStore,
  request: string,
  body: unknown,
  bindings: Partial<Env>,
): Promise<ApiResponse> {
  const [method = '', path = ''] = request.split(' ');
  return callPathWithBindings(method, `/v2/${store.alias}${path}`, {
    headers: store.headers,
    body,
    bindings,
  });
}

/** Like `callWithBindings`, for any path. */
export async function callPathWithBindings(
  method: string,
  path: string,
  options: { headers: Record<string, string>; body?: unknown; bindings: Partial<Env> },
): Promise<ApiResponse> {
  const context = createExecutionContext();
  const url = `https://api.test${path}`;
  const headers = { ...options.headers, 'Content-Type': 'application/json' };
  const request =
    options.body === undefined
      ? new Request(url, { method, headers })
      : requestWithBody(url, method, headers, JSON.stringify(options.body));
  const response = await app.fetch(request, { ...env, ...options.bindings }, context);
  const result = {
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  };
  await waitOnExecutionContext(context);
  // A 500 is a bug of the service and never documented.
  if (result.status !== 500) expectDocumented(method, path, result);
  return result;
}
