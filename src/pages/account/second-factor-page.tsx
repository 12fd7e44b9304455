import type { Language } from '../../base/languages.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

/** A QR code: the side in modules, and the dark ones as an SVG path. */
export interface QrCode {
  size: number;
  path: string;
}

/** A new secret as a QR code, as a link for the phone that shows the page, and as text. */
export const NewSecret = ({
  qrCode,
  uri,
  secret,
  language,
}: {
  qrCode: QrCode;
  /** The address (`otpauth:`) that the QR code holds. */
  uri: string;
  /** In base32. */
  secret: string;
  language: Language;
}) => {
  const { factor: t } = messagesFor(language).security;
  return (
    <>
      <svg
        class="qr-code"
        role="img"
        aria-label={t.picture}
        viewBox={`0 0 ${qrCode.size} ${qrCode.size}`}
        width="240"
        height="240"
        shape-rendering="crispEdges"
      >
        <rect width={qrCode.size} height={qrCode.size} fill="white" />
        <path d={qrCode.path} fill="black" />
      </svg>
      <p>
        <Interpolate text={t.onPhone} parts={{ link: <a href={uri}>{t.openApp}</a> }} />
      </p>
      <CopyableCode
        {...{ language }}
        label={t.typed}
        value={secret.replace(/(.{4})(?=.)/g, '$1 ')}
      />
    </>
  );
};
