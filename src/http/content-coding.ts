import { HttpError } from '../base/errors.ts';

/** The codings of a body that are read (RFC 9110, section 8.4). */
const readCodings = 'gzip, deflate';

/**
 * Returns the body of a request without its `Content-Encoding`, decoded while it is read. Throws a
 * 415 for a coding that is not read. The reader gets a 400 for bytes that are not of the coding,
 * and a 413 if there are more than `maxBytes` of them.
 */
export function decodeBody(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  maxBytes: number,
): ReadableStream<Uint8Array> | null {
  const sent = headers.get('Content-Encoding')?.toLowerCase().split(',') ?? [];
  const names = sent.map((name) => name.trim()).filter((name) => !['', 'identity'].includes(name));
  const [coding] = names;
  if (!body || coding === undefined || headers.get('Content-Length') === '0') return body;
  const isGzip = coding === 'gzip' || coding === 'x-gzip';
  if (names.length > 1 || (!isGzip && coding !== 'deflate')) {
    throw new HttpError('unsupported_media_type', {
      hint: `Send the body as it is, or with one Content-Encoding of ${readCodings}.`,
      headers: { 'Accept-Encoding': readCodings },
    });
  }
  const decoded = decode(body, isGzip ? 'gzip' : 'deflate', maxBytes);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await decoded.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => void (await decoded.return(undefined)),
    },
    { highWaterMark: 0 },
  );
}

/**
 * Yields what the bytes of a body stand for, at most 16 KiB ahead of the reader. The platform's
 * `DecompressionStream` would hold all that a chunk stands for: a gigabyte for one of a megabyte.
 */
async function* decode(
  body: ReadableStream<Uint8Array>,
  coding: 'gzip' | 'deflate',
  maxBytes: number,
): AsyncGenerator<Uint8Array> {
  const { createGunzip, createInflate, createInflateRaw } = await import('node:zlib');
  const { pipeline } = await import('node:stream');
  const bytes = body.values();
  const { value: first } = await bytes.next();
  if (!first) return;
  let [count, isOver] = [0, false];
  async function* counted() {
    try {
      for (let chunk: Uint8Array | undefined = first; chunk; chunk = (await bytes.next()).value) {
        count += chunk.length;
        if (count > maxBytes) throw new HttpError('body_too_large');
        yield chunk;
      }
      isOver = true;
    } finally {
      await bytes.return?.();
    }
  }
  const create = isZlib(first) ? createInflate : createInflateRaw;
  const decoder = coding === 'gzip' ? createGunzip() : create();
  // Its errors reach the loop below.
  pipeline(counted, decoder, () => undefined);
  try {
    for await (const chunk of decoder) yield chunk as Uint8Array;
  } catch (error) {
    throw isOfDecoder(error) ? notOf(coding) : error;
  }
  if (!isOver || decoder.bytesWritten < count) throw notOf(coding);
}

/**
 * Whether a deflated body begins as zlib writes it (RFC 1950, section 2.2), and not without that
 * frame, as some programs do.
 */
const isZlib = ([method = 0, flags]: Uint8Array) =>
  (method & 0x8f) === 8 && (flags === undefined || (method * 256 + flags) % 31 === 0);

const isOfDecoder = (error: unknown) =>
  error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');

const notOf = (coding: string) =>
  new HttpError('malformed_body', {
    errors: { body: [`Must be complete ${coding}, as Content-Encoding says, and nothing else.`] },
    hint: `Send the body as it is, or compress all of it with ${coding}.`,
  });
