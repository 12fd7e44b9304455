import { FormTokenInput } from '../components/form-fields.tsx';
import { Interpolate, UntrustedName } from '../components/text.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
import { formatResult, type RequestResult } from './webhook-texts.tsx';

/** The result of a ping, or why none was sent. */
export type PingResult = RequestResult | 'urlRefused' | 'tooSoon';

interface PingPageProps {
  dashboard: DashboardProps;
  name: string;
  host: string;
  /** Result of the ping that was just sent. */
  result?: PingResult | undefined;
  action: string;
  formToken: string;
  back: string;
}

/** The form that sends a ping, with the result of the previous one. */
export const PingPage = ({ dashboard, result, ...props }: PingPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const t = messages.webhooks.ping;
  const isSuccess = typeof result === 'object' && result.error === null;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {result !== undefined && (
        <p class={isSuccess ? 'notice' : 'notice danger'} role={isSuccess ? 'status' : 'alert'}>
          {typeof result === 'string'
            ? t[result]
            : t[isSuccess ? 'delivered' : 'failed'].replace('{answer}', () =>
                formatResult(result, language),
              )}
        </p>
      )}
      <p>
        <strong>
          <UntrustedName name={props.name} />
        </strong>
      </p>
      <p>
        <Interpolate text={t.lead} parts={{ host: <code>{props.host}</code> }} />
      </p>
      <p class="muted">{t.wait}</p>
      <form method="post" action={props.action} class="actions">
        <FormTokenInput formToken={props.formToken} />
        <a class="button plain" href={props.back}>
          {result === undefined ? messages.account.cancel : t.back}
        </a>
        <button>{result === undefined ? t.submit : t.again}</button>
      </form>
    </DashboardLayout>
  );
};
