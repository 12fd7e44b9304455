import * as z from 'zod';
import { notFound } from '../problem.ts';
import type { Listing } from '../wire/listing.ts';
import {
  asStrings,
  linkHeader,
  Pagination,
  pagination,
  PaginationOfStrings,
} from '../wire/pagination.ts';

/** A body, the headers that belong to it, and its status when that is not the reply's own. */
export interface Rendered {
  status?: 404;
  body: unknown;
  headers: Record<string, string>;
}

/** A success: its status, the schema of the whole body and how a row's answer becomes one. */
export interface Reply<Given> {
  status: 200 | 201;
  schema: z.ZodType;
  /** The schema of the 404 that a list without rows answers, on the lists that do (contract 1.9). */
  empty?: z.ZodType;
  /** Names of the record's fields: a body that sends them back is not reported as unknown. */
  fields: readonly string[];
  /** The body, where it is the same whatever was done. */
  constant?: unknown;
  render: (given: Given, url: string) => Rendered;
}

type Status = 200 | 201;

const stamps = ['created_at', 'updated_at'];

function reply<Given>(
  record: z.ZodObject,
  options: {
    status: Status;
    schema: z.ZodType;
    body: (given: Given) => unknown;
    headers?: (given: Given, url: string) => Record<string, string>;
  },
): Reply<Given> {
  return {
    status: options.status,
    schema: options.schema,
    // Some rows answer less than is read of the same record; what was read is sent back all the same.
    fields: [...Object.keys(record.shape), ...('id' in record.shape ? stamps : [])],
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

/** `{"data": [{...}]}`, always one record; `beside` names fields of it that stand next to `data` as well. */
export const dataOfOne = <S extends z.ZodObject>(
  record: S,
  { beside = [] }: { beside?: readonly (keyof S['shape'] & string)[] } = {},
) =>
  reply<z.input<S>>(record, {
    status: 200,
    schema: z.object({
      data: z.array(record).length(1),
      ...Object.fromEntries(beside.map((name) => [name, record.shape[name] as z.ZodType])),
    }),
    body: (row) => {
      const shown: Record<string, unknown> = record.parse(row);
      return { data: [shown], ...Object.fromEntries(beside.map((name) => [name, shown[name]])) };
    },
  });

/** `{"data": [...]}` without `meta`. */
export const list = <S extends z.ZodObject>(record: S, status: Status = 200) =>
  reply<z.input<S>[]>(record, {
    status,
    schema: z.object({ data: z.array(record) }),
    body: (rows) => ({ data: rows.map((row) => record.parse(row)) }),
  });

/** What a paged row answers with. */
export interface PageOf<Row> {
  rows: Row[];
  total: number;
  listing: Pick<Listing, 'page' | 'perPage'>;
}

const meta = z.object({ pagination: Pagination });

/** The 404 of a list whose query matches nothing at all: an error that a reader of lists can read as well. */
const EmptyPage = z
  .object({
    message: z.string(),
    status_code: z.literal(404),
    data: z.array(z.unknown()).max(0),
    meta,
  })
  .meta({ id: 'EmptyPage', description: 'The query matches nothing.' });

/**
 * `{"data": [...], "meta": {"pagination": {...}}}` and a `Link` header (RFC 8288). With `emptyIs: 404` a query
 * that matches nothing answers 404; `beside` names members that stand next to `data` and are null.
 */
export function page<S extends z.ZodObject>(
  record: S,
  { emptyIs, beside = [] }: { emptyIs?: 404; beside?: readonly string[] } = {},
): Reply<PageOf<z.input<S>>> {
  const nulls = Object.fromEntries(beside.map((name) => [name, null]));
  return {
    status: 200,
    schema: z.object({
      data: z.array(record),
      meta,
      ...Object.fromEntries(beside.map((name) => [name, z.null()])),
    }),
    ...(emptyIs && { empty: EmptyPage }),
    fields: Object.keys(record.shape),
    render: ({ rows, total, listing }, url) => {
      const { page, perPage } = listing;
      const place = pagination({ total, count: rows.length, page, perPage, url });
      const shown = { data: rows.map((row) => record.parse(row)), meta: { pagination: place } };
      if (emptyIs && total === 0) {
        const { message, status } = notFound();
        return { status: emptyIs, body: { message, status_code: status, ...shown }, headers: {} };
      }
      const link = linkHeader(place.links);
      return {
        body: { ...shown, ...nulls },
        headers: link === undefined ? {} : { Link: link },
      };
    },
  };
}

const metaOfStrings = z.object({ pagination: PaginationOfStrings });

/** The page of transactions, whose five numbers are strings (contract 1.7). */
export function pageOfStrings<S extends z.ZodObject>(record: S): Reply<PageOf<z.input<S>>> {
  const plain = page(record);
  return {
    ...plain,
    schema: z.object({ data: z.array(record), meta: metaOfStrings }),
    render: (given, url) => {
      const { body, headers } = plain.render(given, url);
      // It is the body that `page` has made just now.
      const shown = body as { data: unknown; meta: z.output<typeof meta> };
      const pagination = asStrings(shown.meta.pagination);
      return { body: { data: shown.data, meta: { pagination } }, headers };
    },
  };
}

/** The same for one record, whose page is always the only one. */
export function pageOfOne<S extends z.ZodObject>(record: S): Reply<z.input<S>> {
  const plain = pageOfStrings(record);
  const only = { total: 1, listing: { page: 1, perPage: 10 } };
  return {
    ...plain,
    schema: z.object({ data: z.array(record).length(1), meta: metaOfStrings }),
    render: (row, url) => plain.render({ ...only, rows: [row] }, url),
  };
}

/** `{}` */
export const nothing = (): Reply<unknown> => ({
  ...reply(z.object({}), { status: 200, schema: z.object({}), body: () => ({}) }),
  constant: {},
});
