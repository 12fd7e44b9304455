import type { BodyValue, Query } from './public.ts';

/** Appends a query to a path that may have one already. Dates are sent as ISO 8601, lists joined by commas. */
export function withQuery(path: string, query: Query | undefined): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined || value === null) continue;
    const text = value instanceof Date ? value.toISOString() : value;
    parameters.set(name, Array.isArray(text) ? text.join(',') : String(text));
  }
  const text = parameters.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

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

/** Encodes a body: text and bytes as they are, anything else as JSON, in which `Date` becomes ISO 8601. */
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
  return { bytes: JSON.stringify(body), contentType: contentType ?? 'application/json' };
}
