import type { FormError } from '../../pages/components/form-fields.tsx';
import type { Messages } from '../../pages/i18n/en/messages.ts';
import type { Language } from '../../pages/i18n/languages.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import type { FieldView } from '../../pages/security/form-page.tsx';
import type { Rejection } from '../check.ts';
import { refusalErrors } from '../links/refusal.ts';

/** The field of a code, of the app or a recovery code. */
export const codeField = ({ security: { fields } }: Messages): FieldView => ({
  name: 'code',
  label: fields.code,
  hint: fields.codeHint,
  type: 'text',
  autocomplete: 'one-time-code',
});

/** The field of the current password. */
export const passwordField = ({ security: { fields } }: Messages): FieldView => ({
  name: 'password',
  label: fields.password,
  type: 'password',
  autocomplete: 'current-password',
});

/** The errors of a form whose code or password was not accepted. */
export function rejectionErrors(
  language: Language,
  field: 'code' | 'password',
  rejection: Rejection | 'missing' | undefined,
): FormError[] {
  const { fields } = messagesFor(language).security;
  if (rejection === undefined) return [];
  if (rejection === 'missing') {
    return [{ field, text: field === 'code' ? fields.codeMissing : fields.passwordMissing }];
  }
  if (rejection.kind === 'wrong') {
    return [{ field, text: field === 'code' ? fields.codeWrong : fields.passwordWrong }];
  }
  return [...refusalErrors(rejection, language)];
}
