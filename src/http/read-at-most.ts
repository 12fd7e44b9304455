/** The bytes of a body, or `undefined` for one that is longer: what is said of its length is not believed. */
export async function readAtMost(
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
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
