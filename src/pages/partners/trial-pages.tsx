import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

interface TrialDonePageProps {
  dashboard: DashboardProps;
  appName: string;
  storeName: string;
  /** The response of the token endpoint, without hidden values. */
  response: string;
  /** A call with the access token. */
  call: string;
  back: string;
}

/** The tokens that an app gets when a merchant connects it. Shown once. */
export const TrialDonePage = ({ dashboard, ...props }: TrialDonePageProps) => {
  const { language } = dashboard.layout;
  const { trial: t } = messagesFor(language).partnerTools;
  return (
    <DashboardLayout {...dashboard} title={t.doneTitle} scripts={[copyButtonScript]}>
      <h1>{t.doneTitle}</h1>
      <p>
        <Interpolate
          text={t.doneLead}
          parts={{
            app: <UntrustedName name={props.appName} />,
            store: <UntrustedName name={props.storeName} />,
          }}
        />
      </p>
      <CopyableCode language={language} label={t.response} value={props.response} />
      <p>{t.hidden}</p>
      <CopyableCode language={language} label={t.call} value={props.call} />
      <p class="actions">
        <a class="button" href={props.back}>
          {t.back}
        </a>
      </p>
    </DashboardLayout>
  );
};

interface TrialEndedPageProps {
  dashboard: DashboardProps;
  /** The reason why there are no tokens; `failed` with the `error` of the token endpoint. */
  reason: { kind: 'denied' | 'stale' } | { kind: 'failed'; error: string };
  /** The page that starts a new trial. */
  againHref: string;
}

/** A trial that ended without tokens. */
export const TrialEndedPage = ({ dashboard, reason, againHref }: TrialEndedPageProps) => {
  const { trial: t } = messagesFor(dashboard.layout.language).partnerTools;
  const text =
    reason.kind === 'failed' ? t.failed.replace('{error}', () => reason.error) : t[reason.kind];
  return (
    <DashboardLayout {...dashboard} title={t.endTitle}>
      <h1>{t.endTitle}</h1>
      <p>{text}</p>
      <p class="actions">
        <a class="button" href={againHref}>
          {t.again}
        </a>
      </p>
    </DashboardLayout>
  );
};
