import type { Language } from '../../base/languages.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
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

/** Shows recovery codes, once; without them, says that they were shown. */
export const RecoveryCodesPage = ({
  dashboard,
  codes,
  next,
  renew,
}: {
  dashboard: DashboardProps;
  codes: readonly string[] | undefined;
  /** The next page. */
  next: string;
  /** The page that creates new ones. */
  renew: string;
}) => {
  const { factor: t, overview } = messagesFor(dashboard.layout.language).security;
  if (!codes) {
    return (
      <DashboardLayout {...dashboard} title={t.codesShown}>
        <h1>{t.codesShown}</h1>
        <p class="measure">{t.codesShownLead}</p>
        <p class="actions">
          <a class="button" href={renew}>
            {overview.newCodes}
          </a>
        </p>
      </DashboardLayout>
    );
  }
  return (
    <DashboardLayout {...dashboard} title={t.codesTitle} scripts={[copyButtonScript]}>
      <h1>{t.codesTitle}</h1>
      <p class="measure">{t.codesLead}</p>
      <CopyableCode
        language={dashboard.layout.language}
        label={t.codesList}
        value={codes.join('\n')}
      />
      <p class="actions">
        <a class="button" href={next}>
          {t.codesSaved}
        </a>
      </p>
    </DashboardLayout>
  );
};
