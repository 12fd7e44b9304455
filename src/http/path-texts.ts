import { eventIdExample, eventIdPattern, pathEventId } from '../wire/event-id.ts';

/** The ids of paths that are texts, by their name in the path: how they are read, and what the document says of them. */
export const pathTexts = {
  event_id: {
    schema: pathEventId,
    description: 'Id of the event, as webhook-id has it.',
    pattern: eventIdPattern,
    example: eventIdExample,
  },
} as const;

type PathText = Pick<(typeof pathTexts)['event_id'], 'schema'> & {
  description: string;
  pattern: string;
  example: string;
};

/** The text that an id of this name is, if it is none of the usual numbers. */
export const pathTextOf = (name: string): PathText | undefined =>
  (pathTexts as Readonly<Record<string, PathText>>)[name];
