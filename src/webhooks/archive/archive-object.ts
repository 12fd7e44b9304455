import { sha256 } from '../../base/crypto/digest.ts';

/** An event whose body is to be archived, or was. */
interface EventBody {
  id: string;
  body: string;
}

/** Where the line of an event stands in its object, and the size of its body. In bytes. */
export interface BodyPlace {
  offset: number;
  bytes: number;
}

const encoder = new TextEncoder();
// Fails for bytes that are not UTF-8, and keeps all others.
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const lineStart = (id: string) => `{"id":"${id}","body":`;

/** Bytes of the line of an event up to the end of its body. */
const lengthOf = (id: string, { bytes }: BodyPlace) => lineStart(id).length + bytes;

/**
 * Packs bodies into the content of one object: NDJSON, one line for each event, with the exact text
 * of its body. Returns the place of each as well.
 */
export function packBodies(events: readonly EventBody[]) {
  const parts: Uint8Array[] = [];
  const places: (BodyPlace & { id: string })[] = [];
  let length = 0;
  for (const { id, body } of events) {
    const text = encoder.encode(body);
    places.push({ id, offset: length, bytes: text.length });
    for (const part of [encoder.encode(lineStart(id)), text, encoder.encode('}\n')]) {
      parts.push(part);
      length += part.length;
    }
  }
  const content = new Uint8Array(length);
  let position = 0;
  for (const part of parts) {
    content.set(part, position);
    position += part.length;
  }
  return { content, places };
}

/**
 * The key of an object: the id of its first event, and a digest of its content. So the same content
 * has the same key, and two sweeps that pack different events never overwrite the object of the
 * other one. It does not depend on the shard.
 */
export const archiveKey = async (firstId: string, content: Uint8Array) =>
  `${firstId}.${await sha256(content)}`;

/** The range of an object that holds these places. */
export function rangeOf(places: readonly (BodyPlace & { id: string })[]) {
  const offset = Math.min(...places.map((place) => place.offset));
  const end = Math.max(...places.map((place) => place.offset + lengthOf(place.id, place)));
  return { offset, length: end - offset };
}

/**
 * Reads the body of an event from a part of its object that begins at `start`. Throws if the line
 * there is not of this event, so that a body is never taken for another one.
 */
export function unpackBody(part: Uint8Array, start: number, place: BodyPlace & { id: string }) {
  const from = place.offset - start;
  const line = decoder.decode(part.subarray(from, from + lengthOf(place.id, place)));
  const expected = lineStart(place.id);
  if (!line.startsWith(expected)) throw new Error(`no body of ${place.id} at ${place.offset}`);
  return line.slice(expected.length);
}
