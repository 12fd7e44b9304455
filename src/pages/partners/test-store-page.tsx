import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormProps,
} from '../../web/components/form-fields.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { TestStoreBadge } from './test-stores-page.tsx';

/** The effects of an advance of the clock. */
interface ClockResult {
  carts: number;
  transactions: number;
  webhooks: number;
}

interface TestStorePageProps {
  dashboard: DashboardProps;
  store: { name: string; alias: string; state: 'ready' | 'filling' | 'failed' };
  /** The first call as a command. */
  call: string;
  /** The steps that have a button, in seconds. */
  steps: Readonly<Record<'hour' | 'day' | 'week', number>>;
  form: FormProps;
  resetHref: string;
  removeHref: string;
  accountHref: string;
  guideHref: string;
  flash: keyof Messages['partnerTools']['testStores']['flash'] | undefined;
  result: ClockResult | undefined;
}

/** One test store: its first call, its clock, and how to reset or delete it. */
export const TestStorePage = ({ dashboard, store, form, ...props }: TestStorePageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language);
  const { testStores: t, clock, links } = messages.partnerTools;
  return (
    <DashboardLayout {...dashboard} title={store.name} scripts={[copyButtonScript]}>
      <h1>
        <UntrustedName name={store.name} />
      </h1>
      {form.errors.length > 0 && (
        <ErrorSummary title={messages.errorSummary} errors={form.errors} />
      )}
      <FlashMessage text={flashText(props, language)} />
      <dl class="facts">
        <dt>{t.columns.alias}</dt>
        <dd>
          <code>{store.alias}</code>
        </dd>
        <dt>{t.columns.state}</dt>
        <dd>
          <TestStoreBadge state={store.state} language={language} />{' '}
          {store.state === 'filling' && t.fillingHint}
          {store.state === 'failed' && t.failedHint}
        </dd>
      </dl>
      <p class="actions">
        <a class="button plain" href={props.accountHref}>
          {t.account}
        </a>
        <a class="button plain" href={props.guideHref}>
          {links.guide}
        </a>
      </p>
      <CopyableCode language={language} label={t.call} value={props.call} />
      <h2>{clock.title}</h2>
      <p>{clock.lead}</p>
      <ul>
        {Object.values(clock.effects).map((effect) => (
          <li>{effect}</li>
        ))}
      </ul>
      <p>{clock.limits}</p>
      <p id="advance-by">{clock.legend}</p>
      <form method="post" action={form.action} class="actions" aria-labelledby="advance-by">
        <FormTokenInput formToken={form.formToken} />
        {(['hour', 'day', 'week'] as const).map((step) => (
          <button class="plain" name="seconds" value={String(props.steps[step])}>
            {clock[step]}
          </button>
        ))}
      </form>
      <form method="post" action={form.action} novalidate>
        <FormTokenInput formToken={form.formToken} />
        <TextField
          name="minutes"
          label={clock.minutes}
          hint={clock.minutesHint}
          type="text"
          value={form.sent?.get('minutes') ?? ''}
          autocomplete="off"
          error={form.errors[0]?.text}
        />
        <div class="actions">
          <button>{clock.submit}</button>
        </div>
      </form>
      <h2>{t.startOver}</h2>
      <p class="actions">
        <a class="button plain" href={props.resetHref}>
          {t.reset}
        </a>
        <a class="button danger" href={props.removeHref}>
          {t.remove}
        </a>
      </p>
    </DashboardLayout>
  );
};

function flashText(
  { flash, result }: Pick<TestStorePageProps, 'flash' | 'result'>,
  language: DashboardProps['layout']['language'],
): string | undefined {
  const { testStores, clock } = messagesFor(language).partnerTools;
  const text = flash && testStores.flash[flash];
  if (!text || !result) return text;
  const counts = clock.result.replaceAll(/\{(carts|transactions|webhooks)\}/g, (_, name: string) =>
    // The pattern names the keys.
    result[name as keyof ClockResult].toLocaleString(language),
  );
  return `${text} ${counts}`;
}
