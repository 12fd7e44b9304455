import * as z from 'zod';
import type { Reply } from './replies.ts';

/** One page of a list that goes on from a cursor; `next` is the cursor of what follows, `null` at the end. */
export interface CursorPage<Row> {
  rows: Row[];
  next: number | null;
}

const meta = z.object({
  cursor: z
    .object({ count: z.int(), next: z.string() })
    .meta({ description: 'next is the cursor of the following page, "" at the end.' }),
});

/**
 * `{"data": [...], "meta": {"cursor": {"count", "next"}}}` and a `Link` header (RFC 8288): for lists that grow at one
 * end and are too long to count.
 */
export function cursorPage<S extends z.ZodObject>(record: S): Reply<CursorPage<z.input<S>>> {
  return {
    status: 200,
    schema: z.object({ data: z.array(record), meta }),
    fields: [],
    render: ({ rows, next }, url) => {
      const data = rows.map((row) => record.parse(row));
      const cursor = { count: data.length, next: next === null ? '' : String(next) };
      const headers: Record<string, string> = {};
      if (next !== null) {
        const following = new URL(url);
        following.searchParams.set('cursor', cursor.next);
        headers.Link = `<${following.href}>; rel="next"`;
      }
      return { body: { data, meta: { cursor } }, headers };
    },
  };
}
