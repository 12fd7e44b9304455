import { z } from 'zod';
import type { Reply } from './replies.ts';

/** A part of a list that is read on from its last record. */
export interface PartOf<Row> {
  rows: Row[];
  hasMore: boolean;
  limit: number;
}

const meta = z.object({
  pagination: z
    .object({ count: z.int(), per_page: z.int(), links: z.object({ next: z.string() }) })
    .meta({ id: 'FeedPagination' }),
});

/**
 * `{"data": [...], "meta": {"pagination": {"count", "per_page", "links": {"next"}}}}` and a `Link` header (RFC
 * 8288) while there is more; the query parameter `cursor` of the next address names the last record here.
 */
export const feed = <S extends z.ZodObject<{ id: z.ZodString }>>(
  record: S,
  cursor: string,
): Reply<PartOf<z.input<S>>> => ({
  status: 200,
  schema: z.object({ data: z.array(record), meta }),
  fields: Object.keys(record.shape),
  render: ({ rows, hasMore, limit }, url) => {
    const data = rows.map((row) => record.parse(row));
    const last = data.at(-1);
    const address = new URL(url);
    if (last) address.searchParams.set(cursor, last.id);
    const next = hasMore ? address.href : '';
    return {
      body: {
        data,
        meta: { pagination: { count: data.length, per_page: limit, links: { next } } },
      },
      headers: next === '' ? {} : { Link: `<${next}>; rel="next"` },
    };
  },
});
