import * as z from 'zod';
import { toFieldErrors } from '../base/codecs/field-errors.ts';
import { addIssue } from '../base/codecs/field-messages.ts';
import { email } from '../base/codecs/fields/string-formats.ts';
import { cleanedCode, line } from '../base/codecs/fields/text.ts';
import { isZone } from '../base/codecs/fields/zone.ts';
import { ValidationError } from '../base/errors.ts';
import { findAliasProblem } from './alias.ts';

/** An alias that a new store may have. */
export const newAlias = cleanedCode({ minLength: 3, maxLength: 63 }, (value, context) => {
  const problem = findAliasProblem(value);
  return problem === undefined ? value : addIssue(context, problem);
});

/**
 * The name of an IANA time zone. Offsets, which `Intl` knows as well, have no daylight saving time.
 */
export const timeZone = cleanedCode({ examples: ['America/Sao_Paulo'] }, (value, context) =>
  /^[A-Za-z]/.test(value) && isZone(value)
    ? value
    : addIssue(context, 'Must be an IANA time zone, such as America/Sao_Paulo.'),
);

/** The name of a store or of a user. */
export const personOrStoreName = line(120);

/** The fields of a new store whose owner is named by address. */
export const newStoreFields = {
  alias: newAlias,
  name: personOrStoreName,
  timezone: timeZone,
  owner_email: email,
};

const NewStore = z.object({ ...newStoreFields, owner_email: z.optional(email) });

/** Checks the fields of a new store as a person typed them. Throws a `ValidationError`. */
export function checkNewStore(fields: z.input<typeof NewStore>): z.output<typeof NewStore> {
  const { data, error } = NewStore.safeParse(fields);
  if (!data) throw new ValidationError(toFieldErrors(error));
  return data;
}
