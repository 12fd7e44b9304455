import type { Language } from '../../base/languages.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import { type Objective, readObjectives } from '../../ops/objectives.ts';
import { BarChart, labelDays } from '../../web/components/bar-chart.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { Interpolate } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';

/**
 * `GET /operator/objectives`: the objectives of the service, each with its error budget of 30 days.
 */
export async function showObjectives(page: SignedInPage) {
  const dashboard = page.dashboard('operator/overview');
  const { language } = dashboard.layout;
  const { objectives: t, tabs } = messagesFor(language).operator;
  const found = await readObjectives(page.action.settings, page.now).catch(() => 'silent' as const);
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <p>
        <a class="target" href={operatorPaths.overview}>
          {tabs.overview}
        </a>
      </p>
      <h1>{t.title}</h1>
      <p>{t.lead}</p>
      {found === undefined ? (
        <p class="notice">
          <Interpolate text={t.notMeasured} parts={{ name: <code>METRICS_TOKEN</code> }} />
        </p>
      ) : found === 'silent' ? (
        <p class="notice danger" role="alert">
          {t.silent}
        </p>
      ) : (
        <>
          <div class="charts">
            {found.objectives.map((objective) => (
              <ErrorBudget {...{ objective, language }} />
            ))}
          </div>
          {found.places.length > 0 && (
            <DataTable
              caption={t.places}
              columns={[
                {
                  label: t.place,
                  cell: ({ place }: (typeof found.places)[number]) => place || '?',
                },
                { label: t.reads, cell: ({ total }) => total.toLocaleString(language) },
                {
                  label: t.slow,
                  cell: ({ bad, total }) => percent(language)(total && bad / total),
                },
                { label: t.left, cell: ({ left }) => <Left {...{ left, language }} /> },
              ]}
              rows={found.places}
            />
          )}
        </>
      )}
    </DashboardLayout>
  );
}

/** The share of bad ones of each day, and what is left of the budget. */
const ErrorBudget = ({
  objective: { name, mayBeBad, left, days },
  language,
}: {
  objective: Objective;
  language: Language;
}) => {
  const t = messagesFor(language).operator.objectives;
  const format = percent(language);
  const label = labelDays(language);
  return (
    <BarChart
      title={t.names[name]}
      unit={t.day}
      series={[{ name: t.bad[name], tone: 'bad' }]}
      bars={days.map(({ day, bad }) => ({ ...label(day), values: [bad] }))}
      empty={{ text: left === null ? t.unknown : t.none }}
      language={language}
    >
      <p>
        <Left {...{ left, language }} />{' '}
        <Interpolate text={t.allowed} parts={{ share: format(mayBeBad) }} />
      </p>
    </BarChart>
  );
};

/** Shows how much of a budget is left; a quarter is little. */
const Left = ({ left, language }: { left: number | null; language: Language }) => {
  const t = messagesFor(language).operator.objectives;
  if (left === null) return <StateBadge tone="neutral" text={t.unknown} />;
  if (left <= 0) return <StateBadge tone="danger" text={t.usedUp} />;
  const text = t.leftShare.replace('{share}', percent(language)(left));
  return <StateBadge tone={left <= 0.25 ? 'warn' : 'good'} text={text} />;
};

const percent = (language: Language) => {
  const format = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 });
  return (share: number) => format.format(share);
};
