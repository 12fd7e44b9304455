import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createApp } from '../../../src/app/app.ts';
import { fakeDatabase } from '../fakes/fake-database.ts';
import type { TestStore } from '../fixtures/store.ts';
import { requestWithBody } from './client.ts';
import { expectDocumented, type ApiResponse } from './conform.ts';
import { expectRefusal } from './expect-refusal.ts';
import { readBody } from './read-body.ts';

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

/** The cost of one statement. */
export interface StatementCost {
  sql: string;
  rowsRead: number;
  rowsWritten: number;
}

/** The row of a request in the log, which is written after the response. */
const isLogRow = (sql: string | undefined) => sql?.startsWith('insert into "request_log"') ?? false;

/**
 * Wraps a database so that each call adds to `cost`, and its statements to `statements`. The row in
 * the log of requests follows the response, so only `statements` has it.
 */
export function countingDatabase(
  binding: D1Database,
  cost: DatabaseCost,
  statements: StatementCost[] = [],
): D1Database {
  /** Makes a call, which counts as a round trip also if it fails. */
  const add = async <T>(
    sqls: readonly string[],
    call: () => Promise<T>,
    resultsOf: (returned: T) => readonly D1Result[],
  ): Promise<T> => {
    const isCounted = !isLogRow(sqls[0]);
    if (isCounted) cost.roundTrips += 1;
    const returned = await call();
    const results = resultsOf(returned);
    if (isCounted) cost.statements += results.length;
    for (const [index, { meta }] of results.entries()) {
      const [rowsRead, rowsWritten] = [meta.rows_read, meta.rows_written];
      statements.push({ sql: sqls[index] ?? '', rowsRead, rowsWritten });
      if (!isCounted) continue;
      cost.rowsRead += rowsRead;
      cost.rowsWritten += rowsWritten;
    }
    return returned;
  };
  const originals = new WeakMap<
    D1PreparedStatement,
    { sql: string; statement: D1PreparedStatement }
  >();
  const counted = (sql: string, statement: D1PreparedStatement): D1PreparedStatement => {
    const all = () =>
      add(
        [sql],
        () => statement.all(),
        (result) => [result],
      );
    const wrapper = {
      bind: (...values: unknown[]) => counted(sql, statement.bind(...values)),
      all,
      run: () =>
        add(
          [sql],
          () => statement.run(),
          (result) => [result],
        ),
      first: async () => (await all()).results[0] ?? null,
      raw: async () => {
        await all();
        return statement.raw();
      },
    } as unknown as D1PreparedStatement;
    originals.set(wrapper, { sql, statement });
    return wrapper;
  };
  return fakeDatabase({
    prepare: (sql: string) => counted(sql, binding.prepare(sql)),
    batch: async (batch: D1PreparedStatement[]) => {
      const known = batch.map((one) => originals.get(one) ?? { sql: '', statement: one });
      return add(
        known.map(({ sql }) => sql),
        () => binding.batch(known.map(({ statement }) => statement)),
        (results) => results,
      );
    },
  });
}

/** A response with its cost on the directory and on the database of the store. */
export interface MeasuredResponse {
  response: ApiResponse;
  directory: DatabaseCost;
  data: DatabaseCost;
}

/**
 * Calls an operation like `api`, and measures its cost on the directory and on the database of the
 * store.
 */
export async function measureRequest(
  store: TestStore,
  request: string,
  body?: unknown,
  bindings: Partial<Env> = {},
): Promise<MeasuredResponse> {
  const directory = noCost();
  const data = noCost();
  const response = await callWithBindings(store, request, body, {
    DIRECTORY: countingDatabase(env.DIRECTORY, directory),
    STORE_0: countingDatabase(env.STORE_0, data),
    STORE_1: countingDatabase(env.STORE_1, data),
    ...bindings,
  });
  return { response, directory, data };
}

/**
 * Calls an operation with some bindings replaced, and waits for the work that it defers past the
 * response.
 */
export function callWithBindings(
  store: TestStore,
  request: string,
  body: unknown,
  bindings: Partial<Env>,
): Promise<ApiResponse> {
  const [method = '', path = ''] = request.split(/ (.*)/s);
  const ownPath = path.startsWith('/operator/') ? path : `/${store.alias}${path}`;
  return callPathWithBindings(method, `/v2${ownPath}`, {
    headers: store.headers,
    body,
    bindings,
  });
}

/**
 * The environments by the bindings that make them, since an environment is checked when it is first
 * seen.
 */
const environments = new WeakMap<Partial<Env>, Env>();

function environmentOf(bindings: Partial<Env>): Env {
  const known = environments.get(bindings) ?? { ...env, ...bindings };
  environments.set(bindings, known);
  return known;
}

/** Like `callWithBindings`, for any path. The same bindings make the same environment. */
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
  const response = await app.fetch(request, environmentOf(options.bindings), context);
  const result = {
    status: response.status,
    headers: response.headers,
    body: await readBody(response),
  };
  await waitOnExecutionContext(context);
  // A 500 is a bug of the service, so no test of an operation needs one.
  if (result.status === 500) expectRefusal(result);
  else expectDocumented(method, path, result);
  return result;
}
