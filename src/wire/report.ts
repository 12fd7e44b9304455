import type * as z from 'zod';

/** Makes issues of errors by field, in a refinement; `path` is the place of the record they are about. */
export function report(
  context: z.core.$RefinementCtx,
  errors: Record<string, string[]>,
  path: readonly PropertyKey[] = [],
) {
  for (const [field, sentences] of Object.entries(errors)) {
    for (const message of sentences) {
      context.addIssue({ code: 'custom', path: [...path, field], message });
    }
  }
}
