import { cleanFormLine } from '../../codecs/fields/normalize-text.ts';
import { email as emailField } from '../../codecs/fields/string-formats.ts';
import type { FormError } from '../../pages/components/form-fields.tsx';
import type { Messages } from '../../pages/i18n/en/messages.ts';
import type { FieldView } from '../../pages/security/form-page.tsx';
import { findPasswordFault } from '../new-password.ts';

const maxNameLength = 80;

type Texts = Pick<Messages, 'security' | 'account'>;

/** The value of a field, or what is wrong with it. */
type Parsed = { value: string } | { error: FormError };

/** Reads the field `email`. */
export function parseEmail(form: URLSearchParams, { security: { fields } }: Texts): Parsed {
  const sent = (form.get('email') ?? '').trim();
  if (sent === '') return { error: { field: 'email', text: fields.emailMissing } };
  const { data } = emailField.safeParse(sent);
  return data === undefined
    ? { error: { field: 'email', text: fields.emailInvalid } }
    : { value: data };
}

/** Reads the field `name`. */
export function parseName(form: URLSearchParams, { security: { fields } }: Texts): Parsed {
  const value = cleanFormLine(form.get('name') ?? '', maxNameLength);
  if (value === '') return { error: { field: 'name', text: fields.nameMissing } };
  return value === undefined ? { error: { field: 'name', text: fields.nameLong } } : { value };
}

/** Reads a new password and its repetition, the fields `password` and `repeated`. It is taken byte for byte. */
export function parseNewPassword(form: URLSearchParams, { security: { fields } }: Texts): Parsed {
  const value = form.get('password') ?? '';
  const fault = findPasswordFault(value, form.get('repeated') ?? '');
  if (fault === undefined) return { value };
  return { error: { field: fault === 'differs' ? 'repeated' : 'password', text: fields[fault] } };
}

/** Collects the errors of several fields. */
export const errorsOf = (...fields: readonly Parsed[]): FormError[] =>
  fields.flatMap((field) => ('error' in field ? [field.error] : []));

/** The value of a field without an error. */
export const valueOf = (field: Parsed): string => ('value' in field ? field.value : '');

export const emailView = ({ security: { fields } }: Texts, form: URLSearchParams): FieldView => ({
  name: 'email',
  label: fields.email,
  type: 'email',
  autocomplete: 'username',
  value: form.get('email') ?? '',
});

export const nameView = ({ security: { fields } }: Texts, form: URLSearchParams): FieldView => ({
  name: 'name',
  label: fields.name,
  type: 'text',
  autocomplete: 'name',
  value: form.get('name') ?? '',
});

/** A new password and its repetition. */
export const newPasswordViews = ({ security: { fields }, account }: Texts): FieldView[] => [
  {
    name: 'password',
    label: fields.password,
    hint: account.password.freshHint,
    type: 'password',
    autocomplete: 'new-password',
  },
  { name: 'repeated', label: fields.repeated, type: 'password', autocomplete: 'new-password' },
];
