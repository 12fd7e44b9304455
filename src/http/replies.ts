import { z } from 'zod';
import { Problem } from '../problem.ts';
import type { Listing } from '../wire/listing.ts';
import { linkHeader, Pagination, pagination } from '../wire/pagination.ts';

/** A body and the headers that belong to it. */
export interface Rendered {
  body: unknown;
  headers: Record<string, string>;
}

/** A success: its status, the schema of the whole body and how a row's answer becomes one. */
export interface Reply<Given> {
  status: 200 | 201;
  schema: z.ZodType;
  /** Names of the record's fields: a body that sends them back is not reported as unknown. */
  fields: readonly string[];
  render: (given: Given, url: URL) => Rendered;
}

type Status = 200 | 201;

function reply<Given>(
  record: z.ZodObject,
  options: {
    status: Status;
    schema: z.ZodType;
    body: (given: Given) => unknown;
    headers?: (given: Given, url: URL) => Record<string, string>;
  },
): Reply<Given> {
  return {
    status: options.status,
    schema: options.schema,
    fields: Object.keys(record.shape),
    render: (given, url) => ({
      body: options.body(given),
      headers: options.headers?.(given, url) ?? {},
    }),
  };
}

/** `{...}`: the record itself. */
export const bare = <S extends z.ZodObject>(record: S, status: Status = 200) =>
  reply<z.input<S>>(record, { status, schema: record, body: (row) => record.parse(row) });

/** `{"data": {...}}` */
export const data = <S extends z.ZodObject>(status: Status, record: S) =>
  reply<z.input<S>>(record, {
    status,
    schema: z.object({ data: record }),
    body: (row) => ({ data: record.parse(row) }),
  });

/** `{"data": [...]}` without `meta`. */
export const list = <S extends z.ZodObject>(record: S) =>
  reply<z.input<S>[]>(record, {
    status: 200,
    schema: z.object({ data: z.array(record) }),
    body: (rows) => ({ data: rows.map((row) => record.parse(row)) }),
  });

/** What a paged row answers with. */
export interface PageOf<Row> {
  rows: Row[];
  total: number;
  listing: Pick<Listing, 'page' | 'perPage'>;
}

/**
 * `{"data": [...], "meta": {"pagination": {...}}}` and a `Link` header (RFC 8288). With `emptyIsNotFound` a query
 * that matches nothing at all is a 404 with the same members besides its own (contract 1.9).
 */
export const page = <S extends z.ZodObject>(
  record: S,
  { emptyIsNotFound = false } = {},
): Reply<PageOf<z.input<S>>> => ({
  status: 200,
  schema: z.object({
    data: z.array(record),
    meta: z.object({ pagination: Pagination }),
  }),
  fields: Object.keys(record.shape),
  render: ({ rows, total, listing }, url) => {
    const { page, perPage } = listing;
    const place = { total, count: rows.length, page, perPage, url };
    const link = linkHeader(place);
    const body = {
      data: rows.map((row) => record.parse(row)),
      meta: { pagination: pagination(place) },
    };
    if (emptyIsNotFound && total === 0) throw new Problem(404, { more: body });
    return {
      body,
      headers: link === undefined ? {} : { Link: link },
    };
  },
});

/** `{}` */
export const nothing = (): Reply<unknown> =>
  reply(z.object({}), { status: 200, schema: z.object({}), body: () => ({}) });
