import { parseRows } from '../http/openapi/operation-table.ts';
/**
 * The package: `client`, `oauthApp`, `webhooks` and `ApiError`. The build defines the constants and
 * writes the types (`build/`). Without it, as for the command line in this repository, a client has
 * `request` and `walk` only.
 */
import { ApiError } from './core/api-error.ts';
import { addJobs } from './core/await-jobs.ts';
import { buildGroups } from './core/groups.ts';
import { AppAuthorization } from './core/oauth-app.ts';
import type {
  AppDelivery,
  ClientConfig,
  DeliveryInfo,
  OAuthAppConfig,
  ReceivedDelivery,
  StoreOptions,
  TokenStore,
  VerifyOptions,
} from './core/public.ts';
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

/** Creates an app that merchants connect to their stores. */
export function oauthApp(config: OAuthAppConfig) {
  const app = new AppAuthorization(config, defaultUrl);
  const { clientId, tokenStore } = config;
  const clientOf = (store: string, options: StoreOptions = {}) =>
    client({ ...config, ...options, store, oauth: { clientId, tokenStore }, apiKey: undefined });
  return {
    authorizeUrl: app.authorizeUrl.bind(app),
    exchange: app.exchange.bind(app),
    uninstall: app.uninstall.bind(app),
    client: clientOf,
    isConnected: (store: string) => isConnected(store, tokenStore, clientOf),
  };
}

/**
 * Asks the service whether a connection lives. The tokens of one that has ended are deleted; newer
 * ones are asked about, too.
 */
async function isConnected(
  store: string,
  tokenStore: TokenStore,
  clientOf: (store: string) => Client,
): Promise<boolean> {
  for (;;) {
    const tokens = await tokenStore.get(store);
    if (!tokens) return false;
    try {
      await clientOf(store).request('POST', '/auth/me');
      return true;
    } catch (error) {
      const isEnded = error instanceof ApiError && error.code === 'invalid_grant';
      if (!isEnded) throw error;
      await tokenStore.compareAndSet(store, tokens, undefined);
    }
  }
}

/** Makes a function that checks deliveries; `dates` names the fields that are dates. */
const verifierOf =
  <Body extends { event: string }>(dates: ReadonlySet<string>) =>
  (
    delivery: Request | ReceivedDelivery,
    secret: string | readonly string[],
    options: VerifyOptions = {},
  ) =>
    verifyDelivery(delivery, secret, options, dates) as Promise<Body & DeliveryInfo>;

/** Deliveries of webhooks. Those of an app have no time zone, so their times stay texts. */
export const webhooks = {
  verify: verifierOf(dateFields),
  verifyAppEvent: verifierOf<AppDelivery>(new Set()),
};

export { ApiError };
