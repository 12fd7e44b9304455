import type { Language } from '../../base/languages.ts';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { EmptyState } from '../../web/components/empty-state.tsx';
import { FlashMessage, UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge, type Tone } from '../../web/components/state-badge.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';

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
