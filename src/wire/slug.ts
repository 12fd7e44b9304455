import * as z from 'zod';
import { codePoints } from './clean.ts';
import { expected, refuse, written } from './sentences.ts';

/** Brings any text to `[a-z0-9]+(-[a-z0-9]+)*`, or `''` when it has no usable letters. */
export function slugify(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
}

/** A sent slug, `undefined` when the caller has to make it from the name (absent, null, empty). */
export function slug(max: number) {
  const input = z
    .string({ error: expected('Must be text.') })
    .meta({ description: 'Brought to lower case letters, digits and single hyphens.' });
  return input.nullish().transform((value, context) => {
    const made = slugify(value ?? '');
    if (codePoints(made) > max) {
      return refuse(context, `Must be at most ${written(max)} characters.`);
    }
    return made === '' ? undefined : made;
  });
}
