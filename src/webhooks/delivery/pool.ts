import { isRecentlyChecked } from '../lease/active-check.ts';
import { hasWork, maxConcurrentSends, type LeasedEndpoint } from '../lease/leased-endpoint.ts';

/** Concurrent sends of an endpoint while others have work too, or before its first success in this run. */
const reducedConcurrency = 2;

/**
 * Selects the endpoint that gets the next free connection: the least busy one below its concurrency. Returns
 * `undefined` when no send can start. An endpoint without a success gets one connection while others wait, or while it
 * is unverified.
 */
export function nextEndpoint(
  endpoints: readonly LeasedEndpoint[],
  canSend: (endpoint: LeasedEndpoint) => boolean,
): LeasedEndpoint | undefined {
  const ready = endpoints.filter(
    (endpoint) => hasWork(endpoint) && canSend(endpoint) && isRecentlyChecked(endpoint),
  );
  const isContended = ready.length > 1;
  const limitOf = ({ hasDelivered, provenAt }: LeasedEndpoint) => {
    if (provenAt === null) return 1;
    if (isContended) return hasDelivered ? reducedConcurrency : 1;
    return hasDelivered ? maxConcurrentSends : reducedConcurrency;
  };
  return ready
    .filter((endpoint) => endpoint.inFlight < Math.min(endpoint.concurrency, limitOf(endpoint)))
    .sort((a, b) => a.inFlight - b.inFlight || a.nextIndex - b.nextIndex)[0];
}

/** Whether one of the five connections for sends is free. */
export const hasFreeConnection = (endpoints: readonly LeasedEndpoint[]): boolean =>
  endpoints.reduce((sum, { inFlight }) => sum + inFlight, 0) < maxConcurrentSends;
