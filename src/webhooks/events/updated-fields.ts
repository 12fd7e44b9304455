type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns the names of the fields that a change of a record changed, as `resource` spells them,
 * without `updated_at`. Those of a relation follow its name, as in `skus.price_sale`; the name
 * alone says that records came, went or changed places. `before` and `after` are what the resource
 * is serialized from.
 */
export const updatedFields = (resource: object, before: object, after: object): string[] => [
  ...new Set(differences(resource as Fields, before as Fields, after as Fields, '')),
];

function* differences(
  shown: Fields,
  before: Fields,
  after: Fields,
  prefix: string,
): Generator<string> {
  for (const [name, value] of Object.entries(shown)) {
    const [old, now] = [before[name], after[name]];
    if (name === 'updated_at' || old === now) continue;
    const path = prefix + name;
    const [visible, earlier, later] = [recordsIn(value), recordsIn(old), recordsIn(now)];
    if (!visible || !earlier || !later) {
      if (JSON.stringify(old) !== JSON.stringify(now)) yield path;
      continue;
    }
    if (idsOf(earlier) !== idsOf(later)) yield path;
    const known = new Map(earlier.map((record) => [record['id'], record]));
    for (const [index, record] of later.entries()) {
      const same = known.get(record['id']);
      if (same) yield* differences(visible[index] ?? {}, same, record, `${path}.`);
    }
  }
}

const idsOf = (records: readonly Fields[]) => records.map(({ id }) => id).join();

/** The records of a relation; `undefined` for any other field. */
function recordsIn(value: unknown): readonly Fields[] | undefined {
  if (typeof value !== 'object' || value === null || !('data' in value)) return undefined;
  const records = [value.data].flat().filter((one) => one !== null) as Fields[];
  return records.every((record) => 'id' in record) ? records : undefined;
}
