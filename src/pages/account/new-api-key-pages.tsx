import { copyButtonScript } from '../assets/assets.ts';
import { ErrorSummary, FormTokenInput, TextField } from '../components/form-fields.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

/** Why no API key was created. */
export type NewApiKeyError = 'nameMissing' | 'nameLong' | 'tooMany';

interface NewApiKeyPageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  /** The submitted name. */
  name: string;
  error?: NewApiKeyError | undefined;
  back: string;
}

/** Asks for the name of a new API key. */
export const NewApiKeyPage = ({
  dashboard,
  action,
  formToken,
  name,
  error,
  back,
}: NewApiKeyPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.keys;
  const isNameError = error === 'nameMissing' || error === 'nameLong';
  return (
    <DashboardLayout {...dashboard} title={t.create}>
      <h1>{t.create}</h1>
      {error && (
        <ErrorSummary
          title={messages.errorSummary}
          errors={[{ text: t[error], ...(isNameError && { field: 'name' }) }]}
        />
      )}
      <form method="post" action={action} class="narrow" novalidate>
        <FormTokenInput formToken={formToken} />
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          type="text"
          value={name}
          autocomplete="off"
          error={isNameError ? t[error] : undefined}
        />
        <div class="actions">
          <a class="button plain" href={back}>
            {messages.account.cancel}
          </a>
          <button>{t.create}</button>
        </div>
      </form>
    </DashboardLayout>
  );
};

interface ApiKeyCreatedPageProps {
  dashboard: DashboardProps;
  /** `undefined` if it was already shown. */
  apiKey: { token: string; secret: string } | undefined;
  keysHref: string;
}

/** Shows the two parts of a new API key, only once. */
export const ApiKeyCreatedPage = ({ dashboard, apiKey, keysHref }: ApiKeyCreatedPageProps) => {
  const t = messagesFor(dashboard.layout.language).account.keys;
  const title = apiKey ? t.createdTitle : t.alreadyShown;
  return (
    <DashboardLayout {...dashboard} title={title} scripts={apiKey ? [copyButtonScript] : []}>
      <h1>{title}</h1>
      {apiKey ? (
        <>
          <p>{t.createdLead}</p>
          <p class="notice danger">{t.danger}</p>
          {(['token', 'secret'] as const).map((part) => (
            <figure
              class="code measure"
              data-copy={t.copy}
              data-copied={t.copied}
              data-not-copied={t.notCopied}
            >
              <figcaption>{t[part]}</figcaption>
              <pre>
                <code>{apiKey[part]}</code>
              </pre>
            </figure>
          ))}
        </>
      ) : (
        <p>{t.alreadyShownLead}</p>
      )}
      <p class="actions">
        <a class="button" href={keysHref}>
          {apiKey ? t.saved : t.back}
        </a>
      </p>
    </DashboardLayout>
  );
};
