import type * as z from 'zod';

/** Error map of a schema: `Required.` for a value that is absent, else the sentence given. */
export function expected(sentence: string): (issue: { input?: unknown }) => string {
  return (issue) => (issue.input === undefined ? 'Required.' : sentence);
}

/** Adds `sentence` to the issues of a running transform; write `return refuse(context, '...')`. */
export function refuse(context: z.core.$RefinementCtx, sentence: string): never {
  context.addIssue({ code: 'custom', message: sentence });
  // zod discards the result of a transform that raised an issue, so no caller ever sees it.
  return undefined as never;
}

/** A number as a sentence writes it: `10,000`, `99,999,999.99`. */
export function written(value: number): string {
  // Not Intl: loading its data would be the largest part of the Worker's start.
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
