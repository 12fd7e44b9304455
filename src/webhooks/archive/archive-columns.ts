import { sql } from 'drizzle-orm';

/** The columns of {@link bodyColumns}. */
export interface BodyColumns {
  /** Null in the archive, and after it was deleted. */
  body: string | null;
  /** JSON of its key, offset and bytes while it is in the archive. */
  archived: string | null;
}

/**
 * SQL columns of the table `webhook_events` with the alias `event`: the body, or its place in the
 * archive. An archived one reads one row more.
 */
export const bodyColumns = (event: string) =>
  sql.raw(`${event}.body,
  iif(${event}.archive_offset is null, null, (
    select json_array(key, ${event}.archive_offset, ${event}.archive_bytes) from webhook_archives
    where store_id = ${event}.store_id and key <= ${event}.id || '~'
    order by key desc limit 1)) as archived`);

/** SQL: the size of the body in bytes, wherever it is; null after it was deleted. */
export const bodyBytes = (event: string) =>
  sql.raw(`coalesce(octet_length(${event}.body), ${event}.archive_bytes)`);

/** SQL condition: the body of the event is still stored. */
export const hasBody = (event: string) =>
  sql.raw(`(${event}.body is not null or ${event}.archive_offset is not null)`);
