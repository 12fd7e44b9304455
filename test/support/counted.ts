import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { app } from '../../src/app.ts';
import { conform } from './conform.ts';
import { requestWithBody } from './request-with-body.ts';
import type { Answer } from './api.ts';
import type { TestStore } from './store.ts';

/** What a request cost on one database. */
export interface Cost {
  /** Sequential calls over the wire. */
  trips: number;
  statements: number;
  rowsRead: number;
  rowsWritten: number;
}

/** A database that counts; it does nothing else to what passes through. */
export function counting(binding: D1Database, cost: Cost): D1Database {
  const add = (results: readonly D1Result[]) => {
    cost.trips += 1;
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

/** Calls a row as `api` does and tells what it cost on the directory and on the store's database. */
export async function measured(
  store: TestStore,
  request: string,
  body?: unknown,
): Promise<{ answer: Answer; directory: Cost; data: Cost }> {
  const nothing = { trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 };
  const directory: Cost = { ...nothing };
  const data: Cost = { ...nothing };
  const answer = await callWith(store, request, body, {
    DIRECTORY: counting(env.DIRECTORY, directory),
    STORE_0: counting(env.STORE_0, data),
  });
  return { answer, directory, data };
}

/** Calls a row with some bindings replaced, and waits for what it does after its answer. */
export function callWith(
  store: TestStore,
  request: string,
  body: unknown,
  bindings: Partial<Env>,
): Promise<Answer> {
  const [method = '', path = ''] = request.split(' ');
  return callAt(method, `/v2/${store.alias}${path}`, { headers: store.headers, body, bindings });
}

/** {@link callWith} for any path. */
export async function callAt(
  method: string,
  url: string,
  asked: { headers: Record<string, string>; body?: unknown; bindings: Partial<Env> },
): Promise<Answer> {
  const context = createExecutionContext();
  const where = `https://api.test${url}`;
  const headers = { ...asked.headers, 'Content-Type': 'application/json' };
  const sent =
    asked.body === undefined
      ? new Request(where, { method, headers })
      : requestWithBody(where, method, headers, JSON.stringify(asked.body));
  const response = await app.fetch(sent, { ...env, ...asked.bindings }, context);
  const answer = {
    status: response.status,
    headers: response.headers,
    body: await response.json(),
  };
  await waitOnExecutionContext(context);
  // A fault of ours is never documented as something to expect.
  if (answer.status !== 500) conform(method, url, answer);
  return answer;
}
