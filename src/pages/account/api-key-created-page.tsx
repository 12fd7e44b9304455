import { copyButtonScript } from '../../web/assets/assets.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { messagesFor } from '../../web/texts/messages.ts';

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
