import type { FieldView } from '../forms/form-page.tsx';
import type { Refusal } from '../forms/form.tsx';
import type { Messages } from '../texts/en/messages.ts';
import type { Rejection } from './check-credentials.ts';

/** The field of a code, of the app or a recovery code. */
export const codeField = ({ security: { fields } }: Messages): FieldView => ({
  name: 'code',
  label: fields.code,
  hint: fields.codeHint,
  type: 'code',
  autocomplete: 'one-time-code',
});

/** The field of the current password. */
export const passwordField = ({ security: { fields } }: Messages): FieldView => ({
  name: 'password',
  label: fields.password,
  type: 'password',
  autocomplete: 'current-password',
});

/** Refuses a form whose code, password or passkey is missing or was not accepted. */
export function refuseProof(
  { security: { fields } }: Messages,
  field: 'code' | 'password' | 'passkey',
  rejection: Rejection | 'missing',
): Refusal {
  if (rejection !== 'missing' && rejection.kind !== 'wrong') return rejection;
  // The field of a passkey may be hidden.
  if (field === 'passkey') return { errors: [{ text: fields.passkeyWrong }] };
  if (rejection === 'missing') return { errors: [{ field, text: fields[`${field}Missing`] }] };
  return { errors: [{ field, text: fields[`${field}Wrong`] }] };
}
