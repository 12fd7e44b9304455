import type { Rejection } from '../../accounts/sign-in/check-credentials.ts';
import { Interpolate } from '../components/inline-text.tsx';
import type { FieldView } from '../forms/form-page.tsx';
import type { Refusal } from '../forms/form.tsx';
import type { PublicPage } from '../page.ts';
import type { Messages } from '../texts/en/messages.ts';

/** The field of a code, of the app or a recovery code. */
export const codeField = ({ security: { fields } }: Messages): FieldView => ({
  name: 'code',
  label: fields.code,
  hint: fields.codeHint,
  type: 'code',
  autocomplete: 'one-time-code',
});

/** Says what a user does who lost both the phone and the recovery codes, and how long it takes. */
export const LostFactor = ({ page: { messages, settings } }: { page: PublicPage }) => {
  const { fields: t } = messages.security;
  const { supportAddress: address } = settings.brand;
  return (
    <details>
      <summary>{t.lost}</summary>
      <p>
        {address === undefined ? (
          t.lostNobody
        ) : (
          <Interpolate
            text={t.lostTo}
            parts={{ address: <a href={`mailto:${address}`}>{address}</a> }}
          />
        )}
      </p>
      <p>{t.lostAsked}</p>
      <p>{t.lostThen}</p>
    </details>
  );
};

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
