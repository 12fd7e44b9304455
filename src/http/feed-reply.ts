import * as z from 'zod';
import type { Reply } from './replies.ts';

/** A part of a list that is read on from a record. */
export interface PartOf<Row> {
  rows: Row[];
  /** Id of the record after which the list goes on; `undefined` at its end. */
  goesOnAfter: string | undefined;
  limit: number;
}

const meta = z.object({
  pagination: z
    .object({ count: z.int(), per_page: z.int(), links: z.object({ next: z.string() }) })
    .meta({ id: 'FeedPagination' }),
});

/**
 * `{"data": [...], "meta": {"pagination": {"count", "per_page", "links": {"next"}}}}` and a `Link` header (RFC
 * 8288) while there is more; `cursor` is the query parameter of the next address that says where.
 */
export const feed = <S extends z.ZodObject>(
  record: S,
  cursor: string,
): Reply<PartOf<z.input<S>>> => ({
  status: 200,
  schema: z.object({ data: z.array(record), meta }),
  fields: Object.keys(record.shape),
  render: ({ rows, goesOnAfter, limit }, url) => {
    const address = new URL(url);
    address.searchParams.set(cursor, goesOnAfter ?? '');
    const next = goesOnAfter === undefined ? '' : address.href;
    return {
      body: {
        data: rows.map((row) => record.parse(row)),
        meta: { pagination: { count: rows.length, per_page: limit, links: { next } } },
      },
      headers: next === '' ? {} : { Link: `<${next}>; rel="next"` },
    };
  },
});
