import type { Hono } from 'hono';
import { methodNotAllowed } from '../errors.ts';
import type { AppEnv } from './app-env.ts';
import { authenticateRequest, type WakeEndpoints } from './authenticate.ts';
import { announceDeprecation } from './headers/deprecation.ts';
import { toHonoPath, type Operation, type OperationGroup } from './operation.ts';
import { readAddress } from './read-request.ts';
import { runOperation } from './run-operation.ts';

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
      app.on(
        method,
        honoPath,
        authenticateRequest(operation, tag, wakeEndpoints),
        readAddress(operation),
        runOperation(operation),
      );
    }
    const allow = operations.map(({ operation }) => operation.method).join(', ');
    app.all(honoPath, () => {
      throw methodNotAllowed(allow);
    });
  }
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
