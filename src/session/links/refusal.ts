import type { FormError } from '../../pages/components/form-fields.tsx';
import { formatWaitingTime } from '../../pages/components/time.tsx';
import type { Language } from '../../pages/i18n/languages.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';

/** Why a form is shown again: errors of fields (422), or a wait (429, 503). */
export type Refusal = { errors: readonly FormError[] } | { kind: 'wait' | 'busy'; seconds: number };

/** The errors that the form shows. */
export function refusalErrors(refusal: Refusal, language: Language): readonly FormError[] {
  if ('errors' in refusal) return refusal.errors;
  const time = formatWaitingTime(language, refusal.seconds);
  return [{ text: messagesFor(language).signIn[refusal.kind].replace('{time}', time) }];
}

/** The status of the page, and its headers. */
export const refusalStatus = (refusal: Refusal) =>
  'errors' in refusal
    ? ({ status: 422 } as const)
    : ({
        status: refusal.kind === 'busy' ? 503 : 429,
        headers: { 'Retry-After': String(refusal.seconds) },
      } as const);
