import { copyButtonScript } from '../assets/assets.ts';
import { RadioField } from '../components/choice-fields.tsx';
import { CopyableCode } from '../components/copyable-code.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorSummary, FormTokenInput, FormActions } from '../components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

interface TrialPageProps {
  dashboard: DashboardProps;
  appName: string;
  isDisabled: boolean;
  stores: readonly { name: string; alias: string }[];
  action: string;
  formToken: string;
  back: string;
  /** Where test stores are made. */
  makeHref: string;
  hasError: boolean;
}

/** Chooses the test store that an app is tried with. */
export const TrialPage = ({ dashboard, appName, stores, ...props }: TrialPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const { trial: t, testStores } = messages.partnerTools;
  const error = props.hasError ? t.storeMissing : undefined;
  const isPossible = !props.isDisabled && stores.length > 0;
  return (
    <DashboardLayout {...dashboard} title={t.open}>
      <h1>
        <Interpolate text={t.title} parts={{ app: <UntrustedName name={appName} /> }} />
      </h1>
      {error && (
        <ErrorSummary title={messages.errorSummary} errors={[{ field: 'store', text: error }]} />
      )}
      <p>{t.lead}</p>
      {props.isDisabled && <p class="notice danger">{t.disabled}</p>}
      {!props.isDisabled && stores.length === 0 && (
        <EmptyState text={t.none} link={{ href: props.makeHref, text: testStores.make }} />
      )}
      {isPossible && (
        <form method="post" action={props.action} novalidate>
          <FormTokenInput formToken={props.formToken} />
          <RadioField
            name="store"
            label={t.store}
            error={error}
            value={stores[0]?.alias}
            options={stores.map(({ name, alias }) => ({
              value: alias,
              text: name,
              meaning: alias,
            }))}
          />
          <FormActions back={props.back} cancel={messages.account.cancel}>
            <button>{t.submit}</button>
          </FormActions>
        </form>
      )}
      {!isPossible && (
        <p class="actions">
          <a class="button plain" href={props.back}>
            {t.back}
          </a>
        </p>
      )}
    </DashboardLayout>
  );
};

interface TrialDonePageProps {
  dashboard: DashboardProps;
  appName: string;
  storeName: string;
  /** The response of the token endpoint, without what is hidden. */
  response: string;
  /** A call with the access token. */
  call: string;
  back: string;
}

/** What an app gets that a merchant connected. Shown once. */
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
  /** Why there are no tokens; `failed` with the `error` of the token endpoint. */
  reason: { kind: 'denied' | 'stale' } | { kind: 'failed'; error: string };
  /** Where to begin again. */
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
