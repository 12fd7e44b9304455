import * as z from 'zod';
import { expected } from './sentences.ts';

/** A nested object of a request; unknown members are dropped. */
export function object<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.object(shape, { error: expected('Must be an object.') });
}
