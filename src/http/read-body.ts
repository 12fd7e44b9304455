import { HttpError } from '../base/errors.ts';

/**
 * Reads a body of at most `maxBytes`; `undefined` if it is longer. Counts the bytes of a body without `Content-Length`.
 * The runtime cuts a body with that header at its length (`body-framing.test.ts`).
 */
export async function readLimitedBody(
  request: Pick<Request | Response, 'headers' | 'body' | 'arrayBuffer'>,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  const length = request.headers.get('Content-Length');
  if (Number(length ?? 0) > maxBytes) return undefined;
  const { body } = request;
  if (!body) return new Uint8Array();
  if (length !== null) {
    // Native code joins the chunks.
    const bytes = new Uint8Array(await request.arrayBuffer());
    return bytes.length > maxBytes ? undefined : bytes;
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  // A reader, not `for await`, whose iterator takes twice the time of a short body.
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return join(chunks, size);
    size += value.length;
    if (size > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    chunks.push(value);
  }
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const [first] = chunks;
  if (first && chunks.length === 1) return first;
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The largest accepted body, in bytes. */
const maxBodyBytes = 1_048_576;

/** How deep a body may be nested; the deepest schema has six levels. */
const maxLevels = 100;

/** How many members the objects of a body may have together; the largest valid body has some thousands. */
const maxMembers = 10_000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** Reads the bytes of a body, regardless of the method and `Content-Length`; throws a 413 beyond 1 MiB. */
export async function readBodyBytes(request: Request): Promise<Uint8Array> {
  const bytes = await readLimitedBody(request, maxBodyBytes);
  if (!bytes) throw new HttpError('body_too_large');
  return bytes;
}

/**
 * Returns the text of a JSON body, `undefined` for an empty one. Throws 415 if its media type is not JSON, 400 if it is
 * no UTF-8 or too complex to parse.
 */
export function decodeJsonText(
  bytes: Uint8Array,
  mediaType: string | undefined,
): string | undefined {
  if (bytes.length === 0) return undefined;
  const type = mediaType?.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  if (!/^application\/(?:[^/\s]+\+)?json$/.test(type)) {
    throw new HttpError('unsupported_media_type', { headers: { Accept: 'application/json' } });
  }
  limitStructure(bytes);
  try {
    return decoder.decode(bytes);
  } catch {
    throw malformedJson();
  }
}

/** The 400 of a text that is no JSON. */
export const malformedJson = () => malformed('Must be valid JSON.');

/** Decodes a JSON body, as {@link decodeJsonText} and a parse; a 400 for a text that is no JSON. */
export function decodeJson(bytes: Uint8Array, mediaType: string | undefined): unknown {
  const text = decodeJsonText(bytes, mediaType);
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    throw malformedJson();
  }
}

const malformed = (message: string) =>
  new HttpError('malformed_body', { errors: { body: [message] } });

const [quote, backslash, colon, openArray, closeArray, openObject, closeObject] = Array.from(
  '"\\:[]{}',
  (character) => character.charCodeAt(0),
);

/**
 * Throws a 400 for a body that is nested too deep or has too many members: building such a value would take fifty times
 * as long as a text of the same size. Counts as a JSON parser would; malformed JSON is left to the parser.
 */
function limitStructure(bytes: Uint8Array): void {
  let levels = 0;
  let members = 0;
  let isInString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) isInString = !isInString;
    else if (isInString) at += byte === backslash ? 1 : 0;
    else if (byte === colon) members += 1;
    else if (byte === openArray || byte === openObject) {
      levels += 1;
      if (levels > maxLevels) throw malformed(`Must be nested at most ${maxLevels} levels deep.`);
    } else if (byte === closeArray || byte === closeObject) levels -= 1;
  }
  if (members > maxMembers) throw malformed('Must have at most 10,000 members in all objects.');
}
