/** Reads a body of at most `maxBytes`; `undefined` if it is longer. Counts the bytes, whatever `Content-Length` claims. */
export async function readLimitedBody(
  { body, headers }: Request,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  if (Number(headers.get('Content-Length') ?? 0) > maxBytes) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  const bytes = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}
