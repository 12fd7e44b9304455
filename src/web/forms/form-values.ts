import * as z from 'zod';
import { cleanFormLine } from '../../base/codecs/fields/normalize-text.ts';
import { email } from '../../base/codecs/fields/string-formats.ts';

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
 * Text that `read` converts to a value of the same type, or to the error of the field. The other fields are checked
 * as well, so a form shows all its errors at once.
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

/** An e-mail address. */
export const formEmail = ({ missing, invalid }: { missing?: string; invalid: string }) =>
  readText((text) => {
    const sent = text.trim();
    if (sent === '') return { error: missing ?? invalid };
    return email.safeParse(sent).data ?? { error: invalid };
  });

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
