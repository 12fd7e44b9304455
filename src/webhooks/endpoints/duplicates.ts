import { sql } from 'drizzle-orm';
import { computedColumn } from '../../data/queries/relations.ts';
import { webhookEndpoints, webhookSubscriptions } from '../../data/schema/store/webhooks-tables.ts';
import { addressOf } from '../url-rules.ts';

/** Another webhook that gets the same events at the same address. */
interface Duplicate {
  id: number;
  name: string;
}

/**
 * SQL of the URL of an endpoint, and of the others of its owner that get one of its events, as JSON
 * for {@link findDuplicate}. The owner is the app that made it, or the store: so no app learns of
 * an endpoint that is not its own.
 */
export const rivalsSql = sql`json_array(webhook_endpoints.url, (select json_group_array(json_array(id, name, url)) from (
    select rival.id, rival.name, rival.url from ${webhookEndpoints} rival
    where rival.id in (select other.endpoint_id from ${webhookSubscriptions} mine
        join ${webhookSubscriptions} other on other.store_id = mine.store_id and other.event = mine.event
        where mine.endpoint_id = webhook_endpoints.id)
      and rival.id <> webhook_endpoints.id and rival.client_id is webhook_endpoints.client_id order by rival.id)))`;

/** Finds the oldest of the rivals of an endpoint at its address, however both are written. */
export function findDuplicate(rivals: string): Duplicate | undefined {
  const [url, others] = JSON.parse(rivals) as [string, [id: number, name: string, url: string][]];
  const found = others.find(([, , other]) => addressOf(other) === addressOf(url));
  return found && { id: found[0], name: found[1] };
}

/** The id of the duplicate, as an extra column of an endpoint. */
export const duplicateExtras = {
  duplicate_of: computedColumn(rivalsSql, (rivals: string) => findDuplicate(rivals)?.id ?? null),
};
