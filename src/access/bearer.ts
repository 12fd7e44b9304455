import { unauthenticated } from '../problem.ts';
import type { Caller } from './admit.ts';

/**
 * The place where `Authorization: Bearer` enters. Until the authorization server issues tokens there is no
 * token that could be right, so each one is refused like a wrong one.
 */
export function identifyBearer(
  _authorization: string,
  _clientId: string | undefined,
): Promise<Caller> {
  return Promise.reject(unauthenticated());
}
