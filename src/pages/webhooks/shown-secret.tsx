import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { UntrustedName } from '../../web/components/inline-text.tsx';
import type { Part, SignedInPage } from '../../web/page.ts';

/** Shows the signing secret of a webhook, only once. */
export const WebhookSecretPage = ({
  page,
  part,
  ...props
}: {
  page: SignedInPage;
  part: Part;
  name: string;
  /** `undefined` if it was already shown. */
  secret: string | undefined;
  /** Whether the webhook was just created. */
  isFirst: boolean;
  webhookHref: string;
}) => {
  const { language, messages } = page;
  const { secret } = props;
  const t = messages.webhookForms.secret;
  const isShown = secret !== undefined;
  const title = isShown ? t.title : t.gone;
  return (
    <DashboardLayout
      {...page.dashboard(part, null)}
      title={title}
      scripts={isShown ? [copyButtonScript] : []}
    >
      <h1>{title}</h1>
      <p class="muted">
        <UntrustedName name={props.name} />
      </p>
      {isShown ? (
        <>
          <p>{props.isFirst ? t.firstLead : t.nextLead}</p>
          <p class="notice danger">{t.once}</p>
          <CopyableCode {...{ language }} label={t.label} value={secret} />
        </>
      ) : (
        <p>{t.goneLead}</p>
      )}
      <p class="actions">
        <a class="button" href={props.webhookHref}>
          {isShown ? t.saved : t.back}
        </a>
      </p>
    </DashboardLayout>
  );
};
