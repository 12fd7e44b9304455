import * as z from 'zod';
import { findPasswordFault } from '../../accounts/sign-in/password.ts';
import type { FieldView } from '../forms/form-page.tsx';
import { fieldIssue, formEmail, formName, sentText } from '../forms/form-values.ts';
import type { Messages } from '../texts/en/messages.ts';

const maxNameLength = 80;

/** The field `email`. */
export const emailField = ({ security: { fields: t } }: Messages) =>
  formEmail({ missing: t.emailMissing, invalid: t.emailInvalid });

/** The field `name`. */
export const nameField = (
  { security: { fields: t } }: Messages,
  page: Parameters<typeof formName>[1],
) =>
  formName(maxNameLength, page, {
    missing: t.nameMissing,
    long: t.nameLong,
    reserved: t.nameReserved,
  });

/**
 * A form that sets a password: `fields`, and a new password with its repetition. No character of it
 * is taken away.
 */
export const withNewPassword = <Fields extends z.ZodRawShape>(
  { security: { fields: t } }: Messages,
  fields: Fields,
) =>
  z.object({ ...fields, password: sentText, repeated: sentText }).check((payload) => {
    // Other fields are not read.
    const { password, repeated } = payload.value as { password: string; repeated: string };
    const fault = findPasswordFault(password, repeated);
    if (fault === undefined) return;
    payload.issues.push(fieldIssue('', t[fault], fault === 'differs' ? 'repeated' : 'password'));
  });

export const emailView = ({ security: { fields } }: Messages): FieldView => ({
  name: 'email',
  label: fields.email,
  type: 'email',
  autocomplete: 'username',
});

export const nameView = ({ security: { fields } }: Messages, value = ''): FieldView => ({
  name: 'name',
  label: fields.name,
  type: 'text',
  autocomplete: 'name',
  value,
});

/** A new password and its repetition. */
export const newPasswordViews = ({ security: { fields }, account }: Messages): FieldView[] => [
  {
    name: 'password',
    label: fields.password,
    hint: account.password.freshHint,
    type: 'password',
    autocomplete: 'new-password',
  },
  { name: 'repeated', label: fields.repeated, type: 'password', autocomplete: 'new-password' },
];
