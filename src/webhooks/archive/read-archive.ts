import { serviceUnavailable } from '../../base/errors.ts';
import { log } from '../../base/log.ts';
import { eventPrefix } from '../../data/core/event-id.ts';
import type { BodyColumns } from './archive-columns.ts';
import { rangeOf, unpackBody, type BodyPlace } from './archive-object.ts';

/** The part of an R2 bucket that readers need. */
export type ReadableArchive = Pick<R2Bucket, 'get'>;

type Row = BodyColumns & { id: string };
type ArchivedBody = BodyPlace & { id: string; key: string };

/** The part of an id, or of a key, that is the same for all events of a store. */
const storePart = (text: string) => text.slice(0, eventPrefix(0).length);

/**
 * Returns the bodies of events in the order of the rows; null for one that was deleted. Reads those
 * in the archive, all of an object at once: one call for each object. Throws a 503 if one cannot be
 * read, so that no event seems to have no body.
 */
export async function loadBodies(
  archive: ReadableArchive | undefined,
  rows: readonly Row[],
): Promise<(string | null)[]> {
  const archived = rows.flatMap(({ id, archived: place }): ArchivedBody[] => {
    if (place === null) return [];
    const [key, offset, bytes] = JSON.parse(place) as [string, number, number];
    return [{ id, key, offset, bytes }];
  });
  if (archived.length === 0) return rows.map(({ body }) => body);
  const objects = [...Map.groupBy(archived, ({ key }) => key)];
  const found = await Promise.all(objects.map(([key, places]) => readObject(archive, key, places)));
  const bodies = new Map(found.flat());
  return rows.map(({ id, body }) => body ?? bodies.get(id) ?? null);
}

async function readObject(
  archive: ReadableArchive | undefined,
  key: string,
  places: readonly ArchivedBody[],
): Promise<[string, string][]> {
  try {
    const range = rangeOf(places);
    const object = await archive?.get(key, { range });
    if (!object) throw new Error('no such object');
    const part = new Uint8Array(await object.arrayBuffer());
    return places.map((place) => {
      if (storePart(key) !== storePart(place.id)) throw new Error('an object of another store');
      return [place.id, unpackBody(part, range.offset, place)];
    });
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 300) : '';
    log('error', 'event_archive_unreadable', { alert: true, key, message });
    throw serviceUnavailable();
  }
}
