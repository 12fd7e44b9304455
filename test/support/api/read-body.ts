/**
 * The value of a JSON body; of a file of lines, the values of its lines; `undefined` of an empty
 * body.
 */
export async function readBody(response: Response): Promise<unknown> {
  if (response.headers.get('Content-Type') === 'application/x-tar') {
    return new Uint8Array(await response.arrayBuffer());
  }
  const text = new TextDecoder().decode(await response.arrayBuffer());
  if (text === '') return undefined;
  const type = response.headers.get('Content-Type');
  if (!type?.startsWith('application/x-ndjson')) return JSON.parse(text);
  const lines = text.trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}
