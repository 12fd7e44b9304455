import type * as z from 'zod';

/** Error map of a schema: `Required.` for an absent value, else the message. */
export function messageOrRequired(message: string): (issue: { input?: unknown }) => string {
  return (issue) => (issue.input === undefined ? 'Required.' : message);
}

const gapsMessage = 'Must be an array: in PHP, array_values makes one of a list with gaps.';

/**
 * Error map of an array: as {@link messageOrRequired}, and for an object of numbered members what
 * makes it an array.
 */
export const arrayMessage = (message: string) => (issue: { input?: unknown }) =>
  isNumbered(issue.input) ? gapsMessage : messageOrRequired(message)(issue);

function isNumbered(value: unknown): boolean {
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
  return !Array.isArray(value) && names.length > 0 && names.every((name) => /^\d+$/.test(name));
}

/** Adds an issue inside a transform. Use it as `return addIssue(context, '...')`. */
export function addIssue(context: z.core.$RefinementCtx, message: string): never {
  context.addIssue({ code: 'custom', message: message });
  // zod discards the result of a transform with issues, so this value is never used.
  return undefined as never;
}

/** Formats a number for a message: `10,000`, `99,999,999.99`. */
export function formatNumber(value: number): string {
  // Without Intl: loading its data would dominate the start-up time of the Worker.
  const [whole = '', fraction] = String(value).split('.');
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/**
 * Key of a text in the metadata of a request field: how its value is read. The document adds it to
 * the description of the field.
 */
export const formatNoteKey = 'x-note';
