import * as z from 'zod';
import { expected } from './sentences.ts';

/** How the id of an event looks (`events/event-id`), as a regular expression. */
export const eventIdPattern = '^evt_[0-9a-f]{46}$';

/** One for the document. */
export const eventIdExample = 'evt_00000000000007019af3a45b6c7d8e9f0123456789abcd';

const SENTENCE = 'Must be the id of an event.';

/** Id of an event in a path. */
export const pathEventId = z
  .string({ error: expected(SENTENCE) })
  .regex(new RegExp(eventIdPattern), SENTENCE)
  .meta({ examples: [eventIdExample] });
