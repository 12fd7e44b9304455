import * as z from 'zod';
import { expected } from './sentences.ts';

/** `true` or `false`, and the spellings `1`, `0`, `"1"`, `"0"`, `"true"`, `"false"`. */
export const bool = z
  .union([z.boolean(), z.literal([1, 0, '1', '0', 'true', 'false'])], {
    error: expected('Must be true or false.'),
  })
  .transform((value) => value === true || value === 1 || value === '1' || value === 'true');

/** Reply: a stored boolean, or the 0 or 1 that SQLite makes of it. */
export const shownBool = z.codec(z.union([z.boolean(), z.literal([0, 1])]), z.boolean(), {
  decode: (stored) => stored === true || stored === 1,
  encode: (shown) => shown,
});
