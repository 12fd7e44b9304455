import type * as z from 'zod';

/**
 * Converts a zod error to the `errors` of a response: messages by dotted path. The path of the root
 * is `body`.
 */
export function toFieldErrors(error: z.core.$ZodError): Record<string, string[]> {
  const messagesByField = new Map<string, Set<string>>();
  for (const { path, message } of error.issues) {
    const field = path.length > 0 ? path.join('.') : 'body';
    const known = messagesByField.get(field);
    if (known) known.add(message);
    else messagesByField.set(field, new Set([message]));
  }
  return Object.fromEntries([...messagesByField].map(([field, unique]) => [field, [...unique]]));
}

/**
 * Inside a refinement: adds field errors as issues. `path` is that of the record they belong to.
 */
export function addFieldIssues(
  context: z.core.$RefinementCtx,
  errors: Record<string, string[]>,
  path: readonly PropertyKey[] = [],
) {
  for (const [field, messages] of Object.entries(errors)) {
    for (const message of messages) {
      context.addIssue({ code: 'custom', path: [...path, field], message });
    }
  }
}
