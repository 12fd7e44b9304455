import * as z from 'zod';
import { ids } from './id.ts';

/** The body of an association row: 1 to 1,000 ids under `name`, or under the `other` spelling of it. */
export function linkedIds(name: string, other?: string) {
  const some = ids({ min: 1 }).optional();
  return z
    .object(
      { [name]: some, ...(other !== undefined && { [other]: some }) },
      { error: 'Must be an object.' },
    )
    .meta({ required: [name], examples: [{ [name]: [4, 8, 15] }] })
    .transform((body, context): number[] => {
      const sent = body[name] ?? (other === undefined ? undefined : body[other]);
      if (sent) return sent;
      context.addIssue({ code: 'custom', message: 'Required.', path: [name] });
      return z.NEVER;
    });
}
