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
