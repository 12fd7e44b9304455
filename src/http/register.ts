import type { Context, Hono } from 'hono';
import { methodNotAllowed } from '../base/errors.ts';
import type { AppEnv } from './app-env.ts';
import {
  authenticateRequest,
  ensureGuarded,
  readHeaders,
  type WakeEndpoints,
} from './authenticate.ts';
import { defaultHeaders } from './defaults.ts';
import { refuse } from './error-response.ts';
import { announceDeprecation } from './headers/deprecation.ts';
import { toHonoPath, type Operation, type OperationGroup } from './operation.ts';
import { readAddress } from './read-request.ts';
import { runOperation, type OperationAnswer } from './run-operation.ts';

/**
 * Registers every operation with its checks in one fixed order (see README: Order of checks), and a 405 for the other
 * methods of its path. API routes are registered nowhere else.
 */
export function registerOperations(
  app: Hono<AppEnv>,
  basePath: string,
  groups: readonly OperationGroup[],
  wakeEndpoints: WakeEndpoints,
) {
  for (const [path, operations] of operationsByPath(groups)) {
    const honoPath = toHonoPath(basePath, path);
    for (const { operation, tag } of operations) {
      const { deprecated, method } = operation;
      if (deprecated) app.on(method, honoPath, announceDeprecation(deprecated));
      app.on(method, honoPath, handleOperation(operation, tag, wakeEndpoints));
    }
    const allow = operations.map(({ operation }) => operation.method).join(', ');
    app.all(honoPath, () => {
      throw methodNotAllowed(allow);
    });
  }
}

/** The checks of an operation in their order, its work and its response. One handler: each layer of Hono costs each request. */
function handleOperation(operation: Operation, tag: string, wakeEndpoints: WakeEndpoints) {
  const authenticate = authenticateRequest(operation, tag, wakeEndpoints);
  const read = readAddress(operation);
  const run = runOperation(operation);
  return async (c: Context<AppEnv>): Promise<Response> => {
    await authenticate(c);
    let answer: OperationAnswer;
    try {
      await read(c);
      answer = await run(c);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const refusal = refuse(error, c);
      if (refusal.status < 500) await ensureGuarded(c);
      for (const [name, value] of Object.entries(readHeaders(c))) refusal.headers.set(name, value);
      return refusal;
    }
    await ensureGuarded(c);
    const { status, headers, body } = answer;
    c.set('isComplete', true);
    // All headers at once: to set one of a response takes as long as to make it with three.
    const all = { ...defaultHeaders(c), ...readHeaders(c), ...headers };
    return new Response(body, { status, headers: all });
  };
}

interface TaggedOperation {
  operation: Operation;
  tag: string;
}

/** Operations by path; literal paths come before paths with a parameter in the same place. */
function operationsByPath(groups: readonly OperationGroup[]): [string, TaggedOperation[]][] {
  const paths = new Map<string, TaggedOperation[]>();
  for (const { tag, operations } of groups) {
    for (const operation of operations) {
      paths.set(operation.path, [...(paths.get(operation.path) ?? []), { operation, tag }]);
    }
  }
  const countParams = ([path]: [string, unknown]) => path.split('{').length;
  return [...paths].sort((a, b) => countParams(a) - countParams(b));
}
