import { DataTable } from '../components/data-table.tsx';
import { EmptyState } from '../components/empty-state.tsx';
import {
  ErrorSummary,
  FormTokenInput,
  TextField,
  type FormError,
  FormActions,
} from '../components/form-fields.tsx';
import { StateBadge, type Tone } from '../components/state-badge.tsx';
import { FlashMessage, UntrustedName } from '../components/text.tsx';
import type { Messages } from '../i18n/en/messages.ts';
import type { Language } from '../i18n/languages.ts';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';

type TestStoreState = keyof Messages['partnerTools']['testStores']['states'];

const tones: Readonly<Record<TestStoreState, Tone>> = {
  ready: 'good',
  filling: 'neutral',
  failed: 'warn',
  deleted: 'danger',
};

export const TestStoreBadge = ({
  state,
  language,
}: {
  state: TestStoreState;
  language: Language;
}) => (
  <StateBadge
    tone={tones[state]}
    text={messagesFor(language).partnerTools.testStores.states[state]}
  />
);

interface TestStoresPageProps {
  dashboard: DashboardProps;
  stores: readonly {
    name: string;
    alias: string;
    state: TestStoreState;
    /** Absent for a store that is being deleted. */
    href?: string;
  }[];
  max: number;
  makeHref: string;
  guideHref: string;
  flash: keyof Messages['partnerTools']['testStores']['flash'] | undefined;
}

/** The test stores of a partner. */
export const TestStoresPage = ({ dashboard, stores, max, ...props }: TestStoresPageProps) => {
  const { language } = dashboard.layout;
  const { testStores: t, links } = messagesFor(language).partnerTools;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.flash && t.flash[props.flash]} />
      <p>
        {t.lead.replace('{count}', String(max))} <a href={props.guideHref}>{links.guide}</a>
      </p>
      {stores.length === 0 && <EmptyState text={t.none} />}
      {stores.length < max && (
        <p class="actions">
          <a class="button" href={props.makeHref}>
            {t.make}
          </a>
        </p>
      )}
      {stores.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={stores}
          columns={[
            {
              label: t.columns.store,
              cell: ({ href, name }) =>
                href === undefined ? (
                  <UntrustedName {...{ name }} />
                ) : (
                  <a href={href}>
                    <UntrustedName {...{ name }} />
                  </a>
                ),
            },
            { label: t.columns.alias, cell: ({ alias }) => <code>{alias}</code> },
            {
              label: t.columns.state,
              cell: ({ state }) => <TestStoreBadge {...{ state, language }} />,
            },
          ]}
        />
      )}
    </DashboardLayout>
  );
};

interface NewTestStorePageProps {
  dashboard: DashboardProps;
  action: string;
  formToken: string;
  back: string;
  name: string;
  max: number;
  error?: 'nameMissing' | 'nameLong' | 'tooMany' | 'noRoom' | undefined;
}

/** The form of a new test store. */
export const NewTestStorePage = ({ dashboard, error, max, ...props }: NewTestStorePageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.partnerTools.testStores;
  const isOfName = error === 'nameMissing' || error === 'nameLong';
  const text = error && t[error].replace('{count}', String(max));
  const errors: FormError[] = text ? [{ text, ...(isOfName && { field: 'name' }) }] : [];
  return (
    <DashboardLayout {...dashboard} title={t.make}>
      <h1>{t.make}</h1>
      {errors.length > 0 && <ErrorSummary title={messages.errorSummary} errors={errors} />}
      <p>{t.makeLead}</p>
      <form method="post" action={props.action} novalidate>
        <FormTokenInput formToken={props.formToken} />
        <TextField
          name="name"
          label={t.name}
          hint={t.nameHint}
          type="text"
          value={props.name}
          autocomplete="off"
          error={isOfName ? text : undefined}
        />
        <FormActions back={props.back} cancel={messages.account.cancel}>
          <button>{t.make}</button>
        </FormActions>
      </form>
    </DashboardLayout>
  );
};
