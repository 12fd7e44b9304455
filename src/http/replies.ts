import * as z from 'zod';
import type { Listing } from '../base/codecs/listing/listing.ts';
import {
  toPaginationOfStrings,
  linkHeader,
  type PageLinks,
  toPagination,
  PaginationOfStrings,
  Pagination,
} from '../base/codecs/listing/pagination.ts';
import { compileSerializer } from '../base/codecs/serializer.ts';
import type { CodeOf } from '../base/error-codes.ts';
import { warnOfDetached, type Detached } from '../data/queries/detached.ts';
import { cappedTotalHeader } from './cors.ts';

/** Response field: `meta` of a page. */
const meta = z.object({ pagination: Pagination });

/** The 404 of a list without any match: an error body that also has the members of a list. */
const EmptyPage = z
  .object({
    message: z.string().describe('The status and its reason phrase.'),
    status_code: z.literal(404).describe('The HTTP status of the response.'),
    code: z.literal('empty_list').describe('Why there is no list: nothing matches the query.'),
    hint: z.string().describe('What to do, in one sentence for a developer.'),
    request_id: z.string().describe('The X-Request-Id of this response.'),
    documentation_url: z.string().describe('The place in the guide that explains the code.'),
    data: z.array(z.null()).max(0).describe('Always empty.'),
    meta,
  })
  .meta({ id: 'EmptyPage', description: 'The query matches nothing.' });

/**
 * A response body with its headers. `refusal` makes it an error that has the members of `body`,
 * too.
 */
interface RenderedReply {
  refusal?: CodeOf<404>;
  body: unknown;
  headers: Record<string, string>;
}

/**
 * The success response of an operation: its status, its schema, and how the result of `run` is
 * rendered.
 */
export interface Reply<Result> {
  status: Status;
  schema: z.ZodType;
  /**
   * The media type of a file, which `run` returns as a stream; `schema` is then that of a line, or
   * of all of it.
   */
  mediaType?: 'application/x-ndjson' | 'application/x-tar';
  /** Names of further headers. */
  headers?: readonly string[];
  /** Schema of the 404 for a list without any match, for the lists that return one. */
  emptySchema?: z.ZodType;
  /** Names of the record's fields. A request body may send them back without a warning. */
  recordFields: readonly string[];
  /** The body, if it is always the same. */
  constantBody?: unknown;
  /** Whether the result is several records. */
  isList?: true;
  /** Whether the result is a page of a list, whose neighbours have cursors. */
  isPage?: true;
  /** For a reply of one record: its schema, and the record of a body. */
  single?: { record: z.ZodType; recordOf: (body: unknown) => unknown };
  /** `url` is that of the request, for links; `links` are the cursors of the neighbour pages. */
  render: (result: Result, url: string, links?: PageLinks) => RenderedReply;
}

type Status = 200 | 201 | 202;

const timestampFields = ['created_at', 'updated_at'];

// Bodies that the replies below rendered.
const dataOf = (body: unknown) => (body as { data: unknown }).data;
const firstOf = (body: unknown) => (body as { data: readonly unknown[] }).data[0];

function recordReply<Result, S extends z.ZodObject = z.ZodObject>(
  record: S,
  options: {
    status: Status;
    schema: z.ZodType;
    body: (result: Result, serialize: (row: z.input<S>) => z.output<S>) => unknown;
    recordOf?: (body: unknown) => unknown;
  },
): Reply<Result> {
  const serialize = compileSerializer(record);
  return {
    status: options.status,
    schema: options.schema,
    // Some operations return a part of a record; a client may still send back all that it read
    // elsewhere.
    recordFields: [...Object.keys(record.shape), ...('id' in record.shape ? timestampFields : [])],
    ...(options.recordOf && { single: { record, recordOf: options.recordOf } }),
    render: (result) => ({ body: options.body(result, serialize), headers: {} }),
  };
}

/** `{...}`: the record without an envelope. */
export const bareRecord = <S extends z.ZodObject>(record: S, status: Status = 200) =>
  recordReply<z.input<S>, S>(record, {
    status,
    schema: record,
    body: (row, serialize) => serialize(row),
    recordOf: (body) => body,
  });

/** `{"data": {...}}` */
export const data = <S extends z.ZodObject>(status: Status, record: S) =>
  recordReply<z.input<S>, S>(record, {
    status,
    schema: z.object({ data: record }),
    body: (row, serialize) => ({ data: serialize(row) }),
    recordOf: dataOf,
  });

/** A reply with a further value of `X-Warning`, if the result has one. */
export const dataWithWarning = <Result>(
  plain: Reply<Result>,
  warningOf: (result: Result) => string | undefined,
): Reply<Result> => ({
  ...plain,
  render: (result, url) => {
    const rendered = plain.render(result, url);
    const warning = warningOf(result);
    return warning === undefined
      ? rendered
      : { ...rendered, headers: { ...rendered.headers, 'X-Warning': warning } };
  },
});

/** `{}` after a deletion, with a warning that names what lost the record. */
export const deleted = (): Reply<{ detached: Detached }> =>
  // The answer that is stored with the change, for a repetition, is without the warning.
  dataWithWarning(emptyObject(), warnOfDetached);

/**
 * `{"data": {...}}` for work that continues after the response; `Location` is where its progress is
 * shown: under `collection`, else under the path of the request.
 */
export const accepted = <S extends z.ZodObject>(
  record: S,
  collection?: string,
): Reply<z.input<S> & { id: number }> => {
  const plain = data(202, record);
  return {
    ...plain,
    headers: ['Location'],
    render: (row, url) => ({
      ...plain.render(row, url),
      headers: { Location: `${collection ?? new URL(url).pathname}/${row.id}` },
    }),
  };
};

/** A file of lines, each of which has this schema. The result of `run` is its content. */
export const linesFile = (line: z.ZodType): Reply<ReadableStream<Uint8Array>> => ({
  status: 200,
  schema: line,
  mediaType: 'application/x-ndjson',
  recordFields: [],
  render: () => ({ body: undefined, headers: {} }),
});

/** A tar archive of files. The result of `run` is its content. */
export const tarFile = (): Reply<ReadableStream<Uint8Array>> => ({
  ...linesFile(z.string().meta({ format: 'binary', description: 'A tar archive (POSIX ustar).' })),
  mediaType: 'application/x-tar',
});

/**
 * `{"data": [{...}]}`, always one record. `siblings` are fields of it that also appear beside
 * `data`.
 */
export const dataListOfOne = <S extends z.ZodObject>(
  record: S,
  { siblings = [] }: { siblings?: readonly (keyof S['shape'] & string)[] } = {},
) =>
  recordReply<z.input<S>, S>(record, {
    status: 200,
    schema: z.object({
      data: z.array(record).length(1),
      ...Object.fromEntries(
        siblings.map((name) => [
          name,
          (record.shape[name] as z.ZodType).describe('The same as in the record.'),
        ]),
      ),
    }),
    body: (row, serialize) => {
      const parsed: Record<string, unknown> = serialize(row);
      return {
        data: [parsed],
        ...Object.fromEntries(siblings.map((name) => [name, parsed[name]])),
      };
    },
    recordOf: firstOf,
  });

/** `{"data": [...]}` without `meta`. */
export const dataList = <S extends z.ZodObject>(
  record: S,
  status: Status = 200,
): Reply<z.input<S>[]> => ({
  ...recordReply<z.input<S>[], S>(record, {
    status,
    schema: z.object({ data: z.array(record) }),
    body: (rows, serialize) => ({ data: rows.map((row) => serialize(row)) }),
  }),
  isList: true,
});

/** The result of an operation that returns a page. */
interface PageResult<Row> {
  rows: Row[];
  total: number;
  isCapped?: boolean;
  listing: Pick<Listing, 'page' | 'perPage'>;
}

/** Note of the lists that grow with a store. */
export const longListNote =
  'In a store with more than 10,000 of these records, the total of a filtered list is counted up to 10,000 or, if a search is part of it, up to 1,000: then it is a lower bound, marked by X-Total-Capped: true, and a page may have fewer records than limit while links.next goes on. An order that no index has, such as several fields, is then 400.';

/**
 * `{"data": [...], "meta": {"pagination": {...}}}` and a `Link` header (RFC 8288). With
 * `emptyStatus: 404` a query that matches nothing returns 404. `nullSiblings` are members beside
 * `data` that are always null.
 */
export function page<S extends z.ZodObject>(
  record: S,
  { emptyStatus, nullSiblings = [] }: { emptyStatus?: 404; nullSiblings?: readonly string[] } = {},
): Reply<PageResult<z.input<S>>> {
  const serialize = compileSerializer(record);
  const nulls = Object.fromEntries(nullSiblings.map((name) => [name, null]));
  return {
    status: 200,
    schema: z.object({
      data: z.array(record),
      meta,
      ...Object.fromEntries(
        nullSiblings.map((name) => [
          name,
          z.null().describe('Always null in a list: each record has its own.'),
        ]),
      ),
    }),
    ...(emptyStatus && { emptySchema: EmptyPage }),
    recordFields: Object.keys(record.shape),
    isList: true,
    isPage: true,
    render: ({ rows, total, isCapped = false, listing }, url, links = {}) => {
      const { page, perPage } = listing;
      const pagination = toPagination({ total, count: rows.length, page, perPage, url, links });
      const list = { data: rows.map((row) => serialize(row)), meta: { pagination } };
      if (emptyStatus && total === 0 && !isCapped) {
        return { refusal: 'empty_list', body: list, headers: {} };
      }
      return {
        body: { ...list, ...nulls },
        headers: {
          ...linkHeader(pagination.links),
          ...(isCapped && { [cappedTotalHeader]: 'true' }),
        },
      };
    },
  };
}

const metaWithStringNumbers = z.object({ pagination: PaginationOfStrings });

/**
 * A page whose five pagination numbers are strings, as the specification shows it for transactions.
 */
export function pageWithStringNumbers<S extends z.ZodObject>(
  record: S,
): Reply<PageResult<z.input<S>>> {
  const plain = page(record);
  return {
    ...plain,
    schema: z.object({ data: z.array(record), meta: metaWithStringNumbers }),
    render: (result, url, links) => {
      const { body, headers } = plain.render(result, url, links);
      // `page` just rendered this body.
      const list = body as { data: unknown; meta: z.output<typeof meta> };
      const pagination = toPaginationOfStrings(list.meta.pagination);
      return { body: { data: list.data, meta: { pagination } }, headers };
    },
  };
}

/** One record in the envelope of `pageWithStringNumbers`: page 1 of 1. */
export function pageOfOneRecord<S extends z.ZodObject>(record: S): Reply<z.input<S>> {
  const { isPage: _, isList: __, ...plain } = pageWithStringNumbers(record);
  const only = { total: 1, listing: { page: 1, perPage: 10 } };
  return {
    ...plain,
    schema: z.object({ data: z.array(record).length(1), meta: metaWithStringNumbers }),
    single: { record, recordOf: firstOf },
    render: (row, url) => plain.render({ ...only, rows: [row] }, url),
  };
}

export const Empty = z
  .object({})
  .meta({ id: 'Empty', description: 'Done. There is nothing to report.' });

/** `{}` */
export const emptyObject = (): Reply<unknown> => ({
  ...recordReply(Empty, { status: 200, schema: Empty, body: () => ({}) }),
  constantBody: {},
});
