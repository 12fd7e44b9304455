import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';

/**
 * The events that the webhook of an app itself receives. They are not among those that a store's webhooks subscribe to.
 */
export type AppEventName =
  | 'app.connected'
  | 'app.disconnected'
  | 'customer.anonymized'
  | 'store.closed'
  | 'store.renamed';

/** The fields of each event beside the app. */
interface AppEventResource {
  client_id: string;
  /** Why an app was disconnected. */
  reason?: string;
  /** The customer. */
  id?: number;
  /** When the data of a closed store are erased. */
  erase_at?: string;
  /** The alias of a renamed store when that is reported, and the one that it left. */
  alias?: string;
  former_alias?: string;
}

/** The body of such an event, in the form of all events. */
export const appEventBody = (
  event: AppEventName,
  at: number,
  store: { id: number; alias: string; zone: string },
  resource: AppEventResource,
): string =>
  JSON.stringify({
    event,
    time: formatLocalTime(at, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource,
  });
