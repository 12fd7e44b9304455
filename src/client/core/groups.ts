import type { MethodRow, ResultKind } from '../../http/openapi/operation-table.ts';
import { PendingCall } from './api-call.ts';
import { fillPath, withQuery } from './encode.ts';
import { encodeLines, readLines } from './ndjson.ts';
import type { BodyValue, Call, CallOptions, JsonValue, LinesInput, List, Query } from './public.ts';
import type { StoreClient } from './store-client.ts';

/** A method of a group, without the types that the build publishes. */
export type Method = (
  ...args: unknown[]
) => Call<unknown> | Promise<unknown> | List<unknown> | AsyncIterable<unknown>;

/** The methods of the client by group, such as `groups.brands.create`. */
export type Groups = Record<string, Record<string, Method>>;

/** Builds all methods of a client from their rows. */
export function buildGroups(client: StoreClient, rows: readonly MethodRow[]): Groups {
  const groups: Groups = {};
  for (const row of rows) (groups[row.group] ??= {})[row.method] = buildMethod(client, row);
  return groups;
}

function buildMethod(client: StoreClient, row: MethodRow): Method {
  const { verb, result, input } = row;
  const ids = [...row.path.replace('{alias}', '').matchAll(/\{\w+\}/g)].length;
  const name = `${row.group}.${row.method}`;
  return (...args) => {
    const resolved = client.resolve(row.path);
    const path = fillPath(resolved, args.slice(0, ids), name);
    const rest = args.slice(ids);
    // The published types fix the order: ids, then the input, then options.
    const sent = input === 'nothing' ? undefined : rest.shift();
    const options = (rest.shift() ?? {}) as CallOptions;
    if (rest.length > 0) throw new TypeError(`${name} takes fewer arguments.`);
    if (input === 'lines') {
      const { query, ...others } = options as CallOptions & { query?: Query };
      return sendLines(client, withQuery(path, query), sent as LinesInput, others);
    }
    if (input === 'query') {
      if (result === 'list') return client.list(path, sent as Query, options);
      const full = withQuery(path, sent as Query);
      if (result === 'lines') return readLines(client.transport, full, options);
      return client.call(verb, full, undefined, options, picks[result]);
    }
    return client.call(verb, path, sent as BodyValue, options, picks[result]);
  };
}

/** The longest time of one attempt to send a file, in milliseconds. */
const uploadTimeoutMs = 300_000;

function sendLines(client: StoreClient, path: string, lines: LinesInput, options: CallOptions) {
  const send = async () => {
    const body = await encodeLines(lines);
    const all = { timeoutMs: uploadTimeoutMs, ...options, contentType: 'application/x-ndjson' };
    return client.call('POST', path, body, all, picks.data).withResponse();
  };
  return new PendingCall(send());
}

type Pick = (body: JsonValue) => unknown;

const dataOf: Pick = (body) => (body as { data: JsonValue }).data;

/** The function that takes the result of each kind out of a body. */
const picks: Record<ResultKind, Pick> = {
  bare: (body) => body,
  data: dataOf,
  list: dataOf,
  lines: dataOf,
  one: (body) => (body as { data: JsonValue[] }).data[0],
  none: () => undefined,
};
