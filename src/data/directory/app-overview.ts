import { sql } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { users } from '../schema/directory/directory-tables.ts';
import { apps } from '../schema/directory/partners-tables.ts';
import type { App } from './apps.ts';
import { readWindow, type CursorPage, type PageRequest } from './overview-window.ts';

/** An app as operators see it. Times are epoch milliseconds. */
export interface AppOverview {
  id: number;
  client_id: string;
  name: string;
  publisher: string;
  state: App['state'];
  disabled_reason: string | null;
  partner_id: number;
  partner_email: string;
  created_at: number;
}

interface AppFilter extends PageRequest {
  client_id?: string | undefined;
  state?: App['state'] | undefined;
  /** Part of the name or of the publisher. */
  search?: string | undefined;
  id?: number;
}

/** Lists apps, newest first. One round trip, or two with a search. */
export function listAppOverviews(
  directory: Database,
  { client_id: clientId, state, search, id, ...page }: AppFilter,
): Promise<CursorPage<AppOverview>> {
  const within = [
    ...(clientId === undefined ? [] : [sql`client_id = ${clientId}`]),
    ...(id === undefined ? [] : [sql`id = ${id}`]),
  ];
  return readWindow<AppOverview>(
    directory,
    {
      table: sql`${apps}`,
      columns: sql`record.id, record.client_id, record.name, record.publisher, record.state, record.disabled_reason, record.owner_id as partner_id,
        users.email as partner_email, record.created_at`,
      joins: sql`join ${users} on users.id = record.owner_id`,
      within: sql.join([sql`1`, ...within], sql` and `),
      filter: state === undefined ? sql`1` : sql`record.state = ${state}`,
      search:
        search === undefined
          ? undefined
          : { spellings: [search], texts: sql`json_array(record.name, record.publisher)` },
    },
    page,
  );
}

/** Finds an app by its number. One round trip. */
export const findAppOverview = async (directory: Database, id: number) =>
  (await listAppOverviews(directory, { id, limit: 1 })).rows[0];
