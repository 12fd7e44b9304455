import * as z from 'zod';
import type { Listing } from '../codecs/listing/listing.ts';
import {
  toPaginationOfStrings,
  linkHeader,
  Pagination,
  toPagination,
  PaginationOfStrings,
} from '../codecs/listing/pagination.ts';
import { notFound } from '../errors.ts';

/** A response body with its headers, and its status if it differs from the reply's. */
interface RenderedReply {
  status?: 404;
  body: unknown;
  headers: Record<string, string>;
}

/** The success response of an operation: its status, its schema, and how the result of `run` is rendered. */
export interface Reply<Result> {
  status: 200 | 201;
  schema: z.ZodType;
  /** Schema of the 404 for a list without any match, for the lists that return one. */
  emptySchema?: z.ZodType;
  /** Names of the record's fields. A request body may send them back without a warning. */
  recordFields: readonly string[];
  /** The body, if it is always the same. */
  constantBody?: unknown;
  /** `url` is that of the request, for links. */
  render: (result: Result, url: string) => RenderedReply;
}

type Status = 200 | 201;

const timestampFields = ['created_at', 'updated_at'];

function recordReply<Result>(
  record: z.ZodObject,
  options: {
    status: Status;
    schema: z.ZodType;
    body: (result: Result) => unknown;
  },
): Reply<Result> {
  return {
    status: options.status,
    schema: options.schema,
    // Some operations return a part of a record; a client may still send back all that it read elsewhere.
    recordFields: [...Object.keys(record.shape), ...('id' in record.shape ? timestampFields : [])],
    render: (result) => ({ body: options.body(result), headers: {} }),
  };
}

/** `{...}`: the record without an envelope. */
export const bareRecord = <S extends z.ZodObject>(record: S, status: Status = 200) =>
  recordReply<z.input<S>>(record, { status, schema: record, body: (row) => record.parse(row) });

/** `{"data": {...}}` */
export const data = <S extends z.ZodObject>(status: Status, record: S) =>
  recordReply<z.input<S>>(record, {
    status,
    schema: z.object({ data: record }),
    body: (row) => ({ data: record.parse(row) }),
  });

/** `{"data": [{...}]}`, always one record. `siblings` are fields of it that also appear beside `data`. */
export const dataListOfOne = <S extends z.ZodObject>(
  record: S,
  { siblings = [] }: { siblings?: readonly (keyof S['shape'] & string)[] } = {},
) =>
  recordReply<z.input<S>>(record, {
    status: 200,
    schema: z.object({
      data: z.array(record).length(1),
      ...Object.fromEntries(siblings.map((name) => [name, record.shape[name] as z.ZodType])),
    }),
    body: (row) => {
      const parsed: Record<string, unknown> = record.parse(row);
      return {
        data: [parsed],
        ...Object.fromEntries(siblings.map((name) => [name, parsed[name]])),
      };
    },
  });

/** `{"data": [...]}` without `meta`. */
export const dataList = <S extends z.ZodObject>(record: S, status: Status = 200) =>
  recordReply<z.input<S>[]>(record, {
    status,
    schema: z.object({ data: z.array(record) }),
    body: (rows) => ({ data: rows.map((row) => record.parse(row)) }),
  });

/** The result of an operation that returns a page. */
interface PageResult<Row> {
  rows: Row[];
  total: number;
  listing: Pick<Listing, 'page' | 'perPage'>;
}

const meta = z.object({ pagination: Pagination });

/** The 404 of a list without any match: an error body that also has the members of a list. */
const EmptyPage = z
  .object({
    message: z.string(),
    status_code: z.literal(404),
    data: z.array(z.unknown()).max(0),
    meta,
  })
  .meta({ id: 'EmptyPage', description: 'The query matches nothing.' });

/**
 * `{"data": [...], "meta": {"pagination": {...}}}` and a `Link` header (RFC 8288). With `emptyStatus: 404` a
 * query that matches nothing returns 404. `nullSiblings` are members beside `data` that are always null.
 */
export function page<S extends z.ZodObject>(
  record: S,
  { emptyStatus, nullSiblings = [] }: { emptyStatus?: 404; nullSiblings?: readonly string[] } = {},
): Reply<PageResult<z.input<S>>> {
  const nulls = Object.fromEntries(nullSiblings.map((name) => [name, null]));
  return {
    status: 200,
    schema: z.object({
      data: z.array(record),
      meta,
      ...Object.fromEntries(nullSiblings.map((name) => [name, z.null()])),
    }),
    ...(emptyStatus && { emptySchema: EmptyPage }),
    recordFields: Object.keys(record.shape),
    render: ({ rows, total, listing }, url) => {
      const { page, perPage } = listing;
      const pagination = toPagination({ total, count: rows.length, page, perPage, url });
      const list = { data: rows.map((row) => record.parse(row)), meta: { pagination } };
      if (emptyStatus && total === 0) {
        const { message, status } = notFound();
        return {
          status: emptyStatus,
          body: { message, status_code: status, ...list },
          headers: {},
        };
      }
      const link = linkHeader(pagination.links);
      return {
        body: { ...list, ...nulls },
        headers: link === undefined ? {} : { Link: link },
      };
    },
  };
}

const metaWithStringNumbers = z.object({ pagination: PaginationOfStrings });

/** A page whose five pagination numbers are strings, as the specification shows it for transactions. */
export function pageWithStringNumbers<S extends z.ZodObject>(
  record: S,
): Reply<PageResult<z.input<S>>> {
  const plain = page(record);
  return {
    ...plain,
    schema: z.object({ data: z.array(record), meta: metaWithStringNumbers }),
    render: (result, url) => {
      const { body, headers } = plain.render(result, url);
      // `page` just rendered this body.
      const list = body as { data: unknown; meta: z.output<typeof meta> };
      const pagination = toPaginationOfStrings(list.meta.pagination);
      return { body: { data: list.data, meta: { pagination } }, headers };
    },
  };
}

/** One record in the envelope of `pageWithStringNumbers`: page 1 of 1. */
export function pageOfOneRecord<S extends z.ZodObject>(record: S): Reply<z.input<S>> {
  const plain = pageWithStringNumbers(record);
  const only = { total: 1, listing: { page: 1, perPage: 10 } };
  return {
    ...plain,
    schema: z.object({ data: z.array(record).length(1), meta: metaWithStringNumbers }),
    render: (row, url) => plain.render({ ...only, rows: [row] }, url),
  };
}

/** `{}` */
export const emptyObject = (): Reply<unknown> => ({
  ...recordReply(z.object({}), { status: 200, schema: z.object({}), body: () => ({}) }),
  constantBody: {},
});
