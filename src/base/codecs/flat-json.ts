import * as z from 'zod';

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** Response field: a value that was stored as JSON, one level deep. */
export const flatJson = z.union([
  scalar,
  z.record(z.string(), scalar),
  z.array(z.union([scalar, z.record(z.string(), scalar)])),
]);

export type FlatJson = z.output<typeof flatJson>;
