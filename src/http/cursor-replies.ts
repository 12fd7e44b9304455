import * as z from 'zod';
import { compileSerializer } from '../codecs/serializer.ts';
import type { Reply } from './replies.ts';

/** One page of a list with a cursor. `next` is the cursor of the following page, `null` at the end. */
interface CursorPage<Row> {
  rows: Row[];
  next: number | string | null;
}

const cursorMeta = z.object({
  cursor: z
    .object({
      count: z.int().describe('Records on this page.'),
      next: z.string().describe('cursor of the following page; "" at the end.'),
    })
    .describe('Where to go on; such lists are too long to count.'),
});

/**
 * `{"data": [...], "meta": {"cursor": {"count", "next"}}}` and a `Link` header (RFC 8288), for lists that are too long
 * to count.
 */
export function cursorPage<S extends z.ZodObject>(record: S): Reply<CursorPage<z.input<S>>> {
  const serialize = compileSerializer(record);
  return {
    status: 200,
    schema: z.object({ data: z.array(record), meta: cursorMeta }),
    recordFields: [],
    render: ({ rows, next }, url) => {
      const data = rows.map((row) => serialize(row));
      const cursor = { count: data.length, next: next === null ? '' : String(next) };
      const headers: Record<string, string> = {};
      if (next !== null) {
        const nextUrl = new URL(url);
        nextUrl.searchParams.set('cursor', cursor.next);
        headers.Link = `<${nextUrl.href}>; rel="next"`;
      }
      return { body: { data, meta: { cursor } }, headers };
    },
  };
}

/** One page of a feed. */
interface FeedResult<Row> {
  rows: Row[];
  /** Id of the record after which the next page starts; `undefined` at the end. */
  nextAfter: string | undefined;
  limit: number;
}

const feedMeta = z.object({
  pagination: z
    .object({
      count: z.int().describe('Events on this page.'),
      per_page: z.int().describe('Most events on a page: limit, at most 100.'),
      links: z
        .object({ next: z.string().describe('Full URL of the following page; "" at the end.') })
        .describe('Where to go on.'),
    })
    .meta({ id: 'FeedPagination', description: 'Where a page is in the feed.' }),
});

/**
 * `{"data": [...], "meta": {"pagination": {"count", "per_page", "links": {"next"}}}}`, and a `Link` header (RFC 8288)
 * unless the page is the last. `cursorParameter` is the query parameter of the link that holds `nextAfter`.
 */
export function feedPage<S extends z.ZodObject>(
  record: S,
  cursorParameter: string,
): Reply<FeedResult<z.input<S>>> {
  const serialize = compileSerializer(record);
  return {
    status: 200,
    schema: z.object({ data: z.array(record), meta: feedMeta }),
    recordFields: Object.keys(record.shape),
    render: ({ rows, nextAfter, limit }, url) => {
      const nextUrl = new URL(url);
      nextUrl.searchParams.set(cursorParameter, nextAfter ?? '');
      const next = nextAfter === undefined ? '' : nextUrl.href;
      return {
        body: {
          data: rows.map((row) => serialize(row)),
          meta: { pagination: { count: rows.length, per_page: limit, links: { next } } },
        },
        headers: next === '' ? {} : { Link: `<${next}>; rel="next"` },
      };
    },
  };
}
