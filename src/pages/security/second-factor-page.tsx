import { copyButtonScript } from '../assets/assets.ts';
import { CopyableCode } from '../components/copyable-code.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** A QR code: the side in modules, and the dark ones as an SVG path. */
export interface QrCode {
  size: number;
  path: string;
}

interface SecondFactorPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** Carries the secret, sealed. */
  secretToken: string;
  /** In base32. */
  secret: string;
  qrCode: QrCode;
  error?: 'missing' | 'wrong' | undefined;
  back: string;
}

/** Shows a new secret as a QR code and as text, and asks for a code that proves that an app has it. */
export const SecondFactorPage = ({ dashboard, qrCode, ...props }: SecondFactorPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { factor: t, fields } = messages.security;
  const error = props.error && (props.error === 'missing' ? fields.codeMissing : t.wrong);
  const errors: FormError[] = error === undefined ? [] : [{ field: 'code', text: error }];
  return (
    <DashboardLayout {...dashboard} title={t.title} scripts={[copyButtonScript]}>
      <h1>{t.title}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      <p class="measure">{t.lead}</p>
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
      <CopyableCode
        {...{ language }}
        label={t.typed}
        value={props.secret.replace(/(.{4})(?=.)/g, '$1 ')}
      />
      <form method="post" action={props.action} class="narrow" novalidate>
        <FormTokenInput formToken={props.formToken} />
        <input type="hidden" name="secret_token" value={props.secretToken} />
        <TextField
          name="code"
          label={t.code}
          hint={t.codeHint}
          type="text"
          autocomplete="one-time-code"
          error={error}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.submit}</button>
        </FormActions>
      </form>
    </DashboardLayout>
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
  /** Where to go on. */
  next: string;
  /** Makes new ones. */
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
