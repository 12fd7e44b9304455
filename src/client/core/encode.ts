import type { BodyValue, Query, QueryValue } from './public.ts';

/**
 * Appends a query to a path that may have one already. Dates are sent as ISO 8601, lists joined by
 * commas without their holes. Throws for a list of nothing else: a filter without a value would let
 * every record through.
 */
export function withQuery(path: string, query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    const text = queryText(name, value);
    if (Array.isArray(value) && text === '') {
      if (name.startsWith('include')) continue;
      throw new TypeError(`${name} is a list without values. Leave it out for all.`);
    }
    if (text !== undefined) parameters.set(name, text);
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

function queryText(name: string, value: QueryValue | readonly QueryValue[]): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) {
    return value.flatMap((item: QueryValue) => queryText(name, item) ?? []).join(',');
  }
  if (typeof value === 'object') throw new TypeError(`${name} must be a value or a list.`);
  return String(value);
}

/**
 * Writes JSON. Holes of lists are left out, as members without a value are. Throws for what JSON
 * would make null of, such as `NaN`: null clears a field.
 */
export const toJson = (value: unknown): string =>
  JSON.stringify(value, function (this: Record<string, unknown>, name, found: unknown) {
    const sent = this[name];
    const isLost =
      (typeof found === 'number' && !Number.isFinite(found)) ||
      (sent instanceof Date && found === null);
    if (isLost) throw new TypeError(`${name} is ${String(sent)}, which cannot be sent.`);
    return Array.isArray(found) ? found.filter((item) => item !== undefined) : found;
  });

/** Fills the ids of a path in. Throws if one is missing, because the path would be another one. */
export function fillPath(path: string, ids: readonly unknown[], name: string): string {
  let next = 0;
  return path.replaceAll(/\{(\w+)\}/g, (_all, id: string) => {
    const value = ids[next++];
    if ((typeof value !== 'number' && typeof value !== 'string') || value === '') {
      throw new TypeError(`${name} needs ${id}, a number or a text.`);
    }
    return encodeURIComponent(value);
  });
}

/** A body as it is sent, and its media type. */
export interface EncodedBody {
  bytes: string | Uint8Array<ArrayBuffer> | Blob;
  contentType: string;
}

/**
 * Encodes a body: text and bytes as they are, anything else as JSON, in which `Date` becomes ISO
 * 8601.
 */
export function encodeBody(
  body: BodyValue | object,
  contentType: string | undefined,
): EncodedBody | undefined {
  if (body === undefined) return undefined;
  const isRaw =
    body instanceof Blob ||
    body instanceof Uint8Array ||
    (typeof body === 'string' && contentType !== undefined);
  if (isRaw) {
    const bytes = body instanceof Uint8Array ? new Uint8Array(body) : body;
    return { bytes, contentType: contentType ?? 'application/octet-stream' };
  }
  return { bytes: toJson(body), contentType: contentType ?? 'application/json' };
}
