import * as z from 'zod';
import { mayBeCalled } from '../../base/codecs/fields/claimed-names.ts';
import { cleanFormLine } from '../../base/codecs/fields/normalize-text.ts';
import { email } from '../../base/codecs/fields/string-formats.ts';
import type { Settings } from '../../base/settings.ts';

/** Text as it was sent: the first value of its name, byte for byte; empty if absent. */
export const sentText = z.preprocess(
  (value: unknown) => (Array.isArray(value) ? value[0] : value) ?? '',
  z.string(),
);

/** The values of ticked checkboxes. */
export const sentValues = z.preprocess(
  (value: unknown) => (value === undefined ? [] : [value].flat()),
  z.array(z.string()),
);

/** Whether a single checkbox is ticked. */
export const ticked = sentText.transform((value) => value === 'yes');

/**
 * Text that `read` converts to a value of the same type, or to the error of the field. The other
 * fields are checked as well, so a form shows all its errors at once.
 */
export const readText = (read: (text: string) => string | { error: string }) =>
  sentText.check((payload) => {
    const result = read(payload.value);
    if (typeof result === 'string') payload.value = result;
    else payload.issues.push(fieldIssue(payload.value, result.error));
  });

/** One line of text, cleaned, of at most `max` code points. */
export const formLine = (max: number, { missing, long }: { missing: string; long: string }) =>
  readText((text) => {
    const line = cleanFormLine(text, max);
    return line || { error: line === '' ? missing : long };
  });

/**
 * The name of a person, an app or its publisher, as {@link formLine}: not that of the service, and
 * without its marks.
 */
export const formName = (
  max: number,
  { settings }: { settings: Pick<Settings, 'brand' | 'serviceName'> },
  { reserved, ...errors }: { missing: string; long: string; reserved: string },
) =>
  formLine(max, errors).check(({ value, issues }) => {
    // A name that was refused is as it was sent, and may be costly to compare.
    if (issues.length === 0 && !mayBeCalled(value, settings))
      issues.push(fieldIssue(value, reserved));
  });

/** A text as the field of a body stores it. */
export const formField = (
  field: z.ZodType<string, string>,
  { missing, invalid }: { missing?: string; invalid: string },
) =>
  readText((text) => {
    if (text.trim() === '') return { error: missing ?? invalid };
    return field.safeParse(text).data ?? { error: invalid };
  });

/** An e-mail address. */
export const formEmail = (errors: { missing?: string; invalid: string }) =>
  formField(email, errors);

/** One of some values. */
export const oneOf = <const Value extends string>(values: readonly Value[], error: string) =>
  sentText.check((payload) => {
    if (!(values as readonly string[]).includes(payload.value)) {
      payload.issues.push(fieldIssue(payload.value, error));
    }
  }) as unknown as z.ZodType<Value>;

/** The issue of a field, or with `path` of a field of the form; the other checks continue. */
export const fieldIssue = (input: unknown, message: string, ...path: string[]) => ({
  code: 'custom' as const,
  message,
  path,
  input,
  continue: true,
});
