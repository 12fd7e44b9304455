import { parseRows } from '../http/openapi/operation-table.ts';
/**
 * The package: `client`, `webhooks` and `ApiError`. The build defines the constants and writes the types (`build/`). Without
 * it, as for the command line in this repository, a client has `request` and `walk` only.
 */
import { ApiError } from './core/api-error.ts';
import { addJobs } from './core/await-jobs.ts';
import { buildGroups } from './core/groups.ts';
import type { ClientConfig, ReceivedDelivery, VerifyOptions } from './core/public.ts';
import { StoreClient } from './core/store-client.ts';
import { verifyDelivery } from './core/verify-delivery.ts';

declare const OPERATIONS: string | undefined;
declare const DATE_FIELDS: string | undefined;
declare const DEFAULT_URL: string | undefined;

const rows = parseRows(typeof OPERATIONS === 'undefined' ? '' : OPERATIONS);
const dateFields = new Set(typeof DATE_FIELDS === 'undefined' ? [] : DATE_FIELDS.split(' '));
const defaultUrl = typeof DEFAULT_URL === 'undefined' ? 'http://localhost:8787' : DEFAULT_URL;

/** The result of `client`, without the types of operations. */
export type Client = Pick<StoreClient, 'request' | 'walk'>;

/** Creates a client of one store. */
export function client(config: ClientConfig): Client {
  const store = new StoreClient(config, defaultUrl, dateFields);
  const groups = addJobs(buildGroups(store, rows), store);
  return Object.assign(groups, {
    request: store.request.bind(store),
    walk: store.walk.bind(store),
  });
}

/** Deliveries of webhooks. */
export const webhooks = {
  verify: (
    delivery: Request | ReceivedDelivery,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ) => verifyDelivery(delivery, secret, options, dateFields),
};

export { ApiError };
