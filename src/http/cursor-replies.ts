import * as z from 'zod';
import { linkHeader } from '../base/codecs/listing/pagination.ts';
import { compileSerializer } from '../base/codecs/serializer.ts';
import type { Reply } from './replies.ts';

/**
 * One page of a list that is too long to count. `next` is the cursor of the following page, `null`
 * at the end.
 */
interface CursorPage<Row> {
  rows: Row[];
  next: number | string | null;
}

/**
 * Where a page is in its list: its number of records, the following cursor and its URL, both "" at
 * the end.
 */
interface PagePlace {
  count: number;
  next: string;
  nextUrl: string;
}

/**
 * `{"data": [...], "meta": {...}}`, and a `Link` header (RFC 8288) unless the page is the last.
 * `parameter` is the query parameter that takes a cursor.
 */
function uncountedPage<S extends z.ZodObject, Page extends CursorPage<z.input<S>>>(
  record: S,
  parameter: string,
  meta: z.ZodType,
  metaOf: (place: PagePlace, page: Page) => unknown,
): Reply<Page> {
  const serialize = compileSerializer(record);
  return {
    status: 200,
    schema: z.object({ data: z.array(record), meta }),
    recordFields: Object.keys(record.shape),
    isList: true,
    render: (page, url) => {
      const data = page.rows.map((row) => serialize(row));
      const place = { count: data.length, next: '', nextUrl: '' };
      if (page.next !== null) {
        const next = new URL(url);
        place.next = String(page.next);
        next.searchParams.set(parameter, place.next);
        place.nextUrl = next.href;
      }
      return {
        body: { data, meta: metaOf(place, page) },
        headers: linkHeader({ next: place.nextUrl, previous: '' }),
      };
    },
  };
}

const cursorMeta = z.object({
  cursor: z
    .object({
      count: z.int().describe('Records on this page.'),
      next: z.string().describe('cursor of the following page; "" at the end.'),
    })
    .describe('Where to go on; such lists are too long to count.'),
});

/** `meta` is `{"cursor": {"count", "next"}}`. */
export const cursorPage = <S extends z.ZodObject>(record: S): Reply<CursorPage<z.input<S>>> =>
  uncountedPage(record, 'cursor', cursorMeta, ({ count, next }) => ({ cursor: { count, next } }));

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

/** `meta` is `{"pagination": {"count", "per_page", "links": {"next"}}}`, as for pages by number. */
export const feedPage = <S extends z.ZodObject>(
  record: S,
  parameter: string,
): Reply<CursorPage<z.input<S>> & { limit: number }> =>
  uncountedPage(record, parameter, feedMeta, ({ count, nextUrl }, { limit }) => ({
    pagination: { count, per_page: limit, links: { next: nextUrl } },
  }));
