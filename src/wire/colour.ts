import * as z from 'zod';
import { expected } from './sentences.ts';

const SENTENCE = 'Must be a colour such as #1A2B3C.';

/** `#RGB` or `#RRGGBB`, stored as sent. */
export const colour = z
  .string({ error: expected(SENTENCE) })
  .regex(/^#(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/, SENTENCE);
