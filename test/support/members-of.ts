import { z } from 'zod';

/** The names of an answer's top level, as the document publishes them. */
export function membersOf(schema: z.ZodType): string[] {
  const { $ref, $defs = {}, properties } = z.toJSONSchema(schema, { io: 'output' });
  const named = $defs[$ref?.split('/').at(-1) ?? ''];
  return Object.keys(named?.properties ?? properties ?? {});
}
