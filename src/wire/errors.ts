import type * as z from 'zod';

/** The `errors` of a refusal (contract 1.11): dotted path to sentences; the root is `body`. */
export function fieldErrors(error: z.core.$ZodError): Record<string, string[]> {
  const sentences = new Map<string, Set<string>>();
  for (const { path, message } of error.issues) {
    const field = path.length > 0 ? path.join('.') : 'body';
    const known = sentences.get(field);
    if (known) known.add(message);
    else sentences.set(field, new Set([message]));
  }
  return Object.fromEntries([...sentences].map(([field, set]) => [field, [...set]]));
}
